"""Charts: shapes in, inline SVG out; `drawing` is the only place of the chart library."""
