// Whether the last picture is on the screen. A query to WebGL before that, or another size of the canvas, would block.

export function connectPicture(canvas) {
  const gl = canvas.getContext("webgl2");
  let fence; // in the commands to the graphics card, behind the picture

  function drawn() {
    return !fence || gl.isContextLost() || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
  }
  // All commands of a picture are given.
  function sent() {
    gl.deleteSync(fence ?? null);
    fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }
  function whenDrawn(use, since = performance.now()) {
    if (!drawn() && performance.now() - since < 200) return void setTimeout(whenDrawn, 5, use, since);
    gl.deleteSync(fence ?? null);
    fence = undefined;
    return use();
  }
  return { drawn, sent, whenDrawn };
}
