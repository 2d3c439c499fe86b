# Tables as a terminal has room for them. Nushell itself would squeeze the last columns to a letter per line.

# The table without as many of the columns that may go as is needed, the first named first, for it to be drawn in
# `width` columns of text. It is drawn without its index, and with `decimals` digits after the point.
export def fitted [width: int, decimals: int, may_go: list<string>]: table -> table {
  mut shown = $in
  for column in $may_go {
    if ($shown | drawn-width $decimals) <= $width {
      break
    }
    $shown = $shown | reject $column
  }
  $shown
}

# Each column has a border before it and a space on both sides; one more border ends the row.
def drawn-width [decimals: int]: table -> int {
  let table = $in
  $table | columns | each {|column|
    let cells = $table | get $column | each { drawn-cell $decimals }
    3 + ([$column ...$cells] | str length --grapheme-clusters | math max)
  } | math sum | $in + 1
}

def drawn-cell [decimals: int]: any -> string {
  let cell = $in
  match ($cell | describe) {
    "nothing" => ""
    "float" => ($cell | into string --decimals $decimals)
    _ => ($cell | into string)
  }
}
