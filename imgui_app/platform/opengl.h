#pragma once

// OpenGL 3.3 natively, OpenGL ES 3.0 (WebGL 2) on the web: the subset that both share.

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#define TP_GLSL_HEADER "#version 300 es\nprecision highp float;\n"
#define TP_IMGUI_GLSL "#version 300 es"
#else
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#define TP_GLSL_HEADER "#version 330 core\n"
#define TP_IMGUI_GLSL "#version 330 core"
#endif
