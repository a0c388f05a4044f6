import { expect, it } from 'vitest'
import { firstCompileError } from '#contract/compile-errors'

it.each([
  [
    'g++, behind the frames of a template',
    `In file included from main.cpp:1:
/usr/include/c++/12/bits/stl_algo.h:1809:14:   required from 'constexpr void f()'
main.cpp:3:57:   required from here
/usr/include/c++/12/bits/predefined_ops.h:45:23: error: no match for 'operator<' (operand types are 'P' and 'P')
   45 |       { return *__it1 < *__it2; }
main.cpp:9:1: error: another`,
    "no match for 'operator<' (operand types are 'P' and 'P')",
  ],
  [
    'gcc, whose source line names another error',
    `main.c: In function 'main':
main.c:2:17: error: 'totl' undeclared (first use in this function)
    2 |   puts("main.c:1:1: error: no");`,
    "'totl' undeclared (first use in this function)",
  ],
  [
    'a missing header',
    'main.c:1:10: fatal error: stdoi.h: No such file or directory\ncompilation terminated.',
    'stdoi.h: No such file or directory',
  ],
  [
    'the compiler itself',
    'cc1plus: fatal error: main.cpp: is a directory',
    'main.cpp: is a directory',
  ],
  [
    'the linker',
    `/usr/bin/ld: cccFBV2b.o: in function \`main':
main.c:(.text.startup+0x6): undefined reference to \`foo'
collect2: error: ld returned 1 exit status`,
    "undefined reference to `foo'",
  ],
  [
    'the linker, for another reason',
    '/usr/bin/ld: final link failed\ncollect2: error: ld returned 1 exit status',
    'ld returned 1 exit status',
  ],
  [
    'the assembler',
    "main.c: Assembler messages:\nmain.c:1: Error: no such instruction: `nonsense'",
    "no such instruction: `nonsense'",
  ],
  [
    'Python',
    '  File "main.py", line 1\n    print("a: error: b"\n         ^\nSyntaxError: \'(\' was never closed\n',
    "SyntaxError: '(' was never closed",
  ],
  ['Python, without a text', 'MemoryError\n', 'MemoryError'],
  [
    'the judge',
    'Compilation took too much time.\nIn file included from main.cpp:1:\n',
    'Compilation took too much time.',
  ],
  ['nothing', '', ''],
])('the first error is found in a message of %s', (_whose, message, expected) => {
  expect(firstCompileError(message)).toBe(expected)
})

it.each(['‘', "'", '`', 'a: ', ' ', 'error: ', ' before '])(
  'a long message of %j is read at once',
  (text) => {
    const long = text.repeat(65_536 / text.length)
    for (const message of [long, `main.c:1:1: error: ${long}`])
      expect(firstCompileError(message).length).toBeLessThanOrEqual(message.length)
  },
)
