/** A program's surroundings are the same in every run. */
import { expect, it } from 'vitest'
import type { LanguageId } from '#contract/languages/codes'
import { STATUS } from '#contract/verdicts'
import { judged, useJudge, type Cases } from '../fixtures/judging.ts'
import { checkedBy, checker, interactor, talked } from '../fixtures/referees.ts'

useJudge()

const WIDE = '字 é'

function expecting(output: string): { cases: Cases } {
  return { cases: [[['', output]]] }
}

it.each<[LanguageId, string]>([
  [
    'c',
    `#include <locale.h>
#include <wchar.h>
int main(void) { setlocale(LC_ALL, ""); wprintf(L"%ls\\n", L"${WIDE}"); }`,
  ],
  [
    'cpp',
    `#include <iostream>
int main() { std::locale::global(std::locale("")); std::wcout << L"${WIDE}\\n"; }`,
  ],
  ['py3', `import locale; locale.setlocale(locale.LC_ALL, ""); print("${WIDE}")`],
])('wide characters are written as UTF-8 in %s', async (language, source) => {
  expect(await judged(language, source, expecting(`${WIDE}\n`))).toMatchObject({
    status: STATUS.AC,
  })
})

it('Python prints a set in the same order in every run', async () => {
  const source = 'print(*{f"word {n}" for n in range(50)}, sep="|")'
  const outputs = new Set<string>()
  for (let n = 0; n < 3; n++)
    outputs.add(JSON.stringify((await judged('py3', source, expecting('none'))).outputs))
  expect(outputs.size).toBe(1)
})

it('Python writes integers of any length, and reads them, also in its source', async () => {
  const writes = 'from math import factorial\nprint(len(str(factorial(2000))))'
  expect((await judged('py3', writes, expecting('5736'))).status).toBe(STATUS.AC)
  const reads = `print(${'7'.repeat(5_000)} - int("${'7'.repeat(5_000)}"))`
  expect(await judged('py3', reads, expecting('0'))).toMatchObject({
    status: STATUS.AC,
    compileMessage: null,
  })
})

it('Python hands on bytes that are no UTF-8', async () => {
  const source = 'import sys\nprint(sys.stdin.encoding, sys.stdin.errors, sys.stdout.errors)'
  const said = expecting('utf-8 surrogateescape surrogateescape')
  expect((await judged('py3', source, said)).status).toBe(STATUS.AC)
})

/** Ends well if sets have one fixed order, integers have any length and texts are UTF-8. */
const IS_THE_SAME = `
import locale, sys
from math import factorial
str(factorial(2000))
utf8 = locale.setlocale(locale.LC_ALL, "") == "C.UTF-8"
sys.exit(0 if utf8 and not sys.flags.hash_randomization else 1)
`

it('a checker and an interactor in Python find the same around them', async () => {
  expect((await checkedBy(checker(IS_THE_SAME), 'print(1)')).status).toBe(STATUS.AC)
  expect((await talked(interactor(IS_THE_SAME), 'print(1)')).status).toBe(STATUS.AC)
})
