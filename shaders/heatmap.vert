// A rectangle without vertex buffers: four corners from the vertex number.
uniform vec4 u_rect;  // left, bottom, right, top in clip space
uniform vec2 u_size;  // columns, rows

out vec2 v_cell;  // 0,0 at the top left corner of the map to columns,rows at the bottom right

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_cell = vec2(corner.x, 1.0 - corner.y) * u_size;
  gl_Position = vec4(mix(u_rect.xy, u_rect.zw, corner), 0.0, 1.0);
}
