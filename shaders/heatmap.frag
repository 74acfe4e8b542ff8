// One value a cell, looked up in a table of colours. No filtering anywhere: a pixel shows the colour of
// exactly one number.
uniform highp sampler2D u_values;   // one float per cell, [rows, columns]
uniform lowp sampler2D u_colours;   // 256 x 1
uniform vec2 u_range;               // the values at both ends of the table
uniform float u_exponent;           // place in the table = (share of the range)^exponent
uniform vec2 u_gap;                 // cell units left free at the right and bottom edge of each cell
uniform vec4 u_gap_colour;

in vec2 v_cell;
out vec4 o_colour;

void main() {
  ivec2 last = textureSize(u_values, 0) - 1;
  ivec2 cell = clamp(ivec2(floor(v_cell)), ivec2(0), last);
  float value = texelFetch(u_values, cell, 0).r;
  float share = clamp((value - u_range.x) / (u_range.y - u_range.x), 0.0, 1.0);
  float place = pow(share, u_exponent);
  vec3 colour = texelFetch(u_colours, ivec2(int(place * 255.0 + 0.5), 0), 0).rgb;
  bool in_gap = any(greaterThan(v_cell - vec2(cell), 1.0 - u_gap));
  o_colour = in_gap ? u_gap_colour : vec4(colour, 1.0);
}
