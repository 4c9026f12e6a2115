# Prints block `number` of C of README.md, with its lines' numbers for the compiler's messages.
/^```/ {
  inside = $0 == "```c" && ++blocks == number
  if (inside) print "#line " NR + 1 " \"README.md\""
  next
}
inside { print; found = 1 }
END { exit !found }
