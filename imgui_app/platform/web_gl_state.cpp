#include <GLES3/gl3.h>

// What Dear ImGui's renderer reads before it draws, to put it back afterwards. In a browser each
// such question waits until the graphics process has drawn all that it was given, 80 ms with
// software rendering. Nothing else draws on our canvas: the renderer asks this instead of
// glGetIntegerv (cmake/dependencies.cmake) and puts back what a new context starts with.
extern "C" void tp_gl_state(GLenum name, GLint* value) {
  switch (name) {
    case GL_MAJOR_VERSION:
      *value = 3;
      break;
    case GL_ACTIVE_TEXTURE:
      *value = GL_TEXTURE0;
      break;
    case GL_BLEND_SRC_RGB:
    case GL_BLEND_SRC_ALPHA:
      *value = GL_ONE;
      break;
    case GL_BLEND_EQUATION_RGB:
    case GL_BLEND_EQUATION_ALPHA:
      *value = GL_FUNC_ADD;
      break;
    case GL_VIEWPORT:
    case GL_SCISSOR_BOX:
      for (int i = 0; i < 4; ++i) value[i] = 0;
      break;
    default:  // nothing is bound
      *value = 0;
  }
}
