/** Rules of a line or two in the code. */
import { describe, expect, test } from 'vitest'
import {
  compareMode,
  DEFAULT_TOLERANCE,
  isJudgeProgramMode,
  tolerancesOf,
  toShownCompare,
} from '#contract/problems/compare'
import { memberChanges, newCourse } from '#contract/courses'
import { cutText } from '#contract/cut-text'
import { homeworkForm, isBoardOpen } from '#contract/homeworks'
import { cloudConfig, installLine, readSums } from '#contract/installation/host-setup'
import { isSlowHost } from '#contract/judging'
import { isLanguageAllowed, languageOfId } from '#contract/languages'
import { CALIBRATION, JUDGE_PROGRAM_LIMIT_BYTES } from '#contract/limits'
import { pathOfAddress, problemFileAddress } from '#contract/problems/file-address'
import { fileTypeOf, PROBLEM_FILES, SIGNATURE_BYTES } from '#contract/problems/problem-files'
import { scoreboardParams } from '#contract/problems/stats'
import { faultText, rowFault } from '#contract/people/signup-rows'

describe('comparison', () => {
  test('by floats takes both defaults where neither is named, else 0 for the missing one', () => {
    const both = { absolute: DEFAULT_TOLERANCE, relative: DEFAULT_TOLERANCE }
    expect(tolerancesOf({})).toEqual(both)
    expect(tolerancesOf({ absolute: 0.5 })).toEqual({ absolute: 0.5, relative: 0 })
    expect(tolerancesOf({ relative: 0.5 })).toEqual({ absolute: 0, relative: 0.5 })
    expect(tolerancesOf({ absolute: 0, relative: 0 })).toEqual({ absolute: 0, relative: 0 })
  })

  test('is refused with a tolerance below zero, in an unknown mode, or by a program in C', () => {
    const fits = (mode: object) => compareMode.safeParse(mode).success
    const program = { mode: 'interactor', language: 'cpp', source: 'int main() {}' }
    expect(
      [
        { mode: 'float', absolute: 0, relative: 0 },
        { mode: 'lines' },
        { mode: 'exact' },
        { mode: 'tokens' },
        program,
      ].map(fits),
    ).toEqual([true, true, true, true, true])
    expect(
      [
        { mode: 'float', absolute: -0.1 },
        { mode: 'float', relative: -0.1 },
        { mode: 'words' },
        { ...program, language: 'c' },
        { ...program, source: undefined },
      ].map(fits),
    ).toEqual([false, false, false, false, false])
  })

  test('shows course members no program', () => {
    const program = { mode: 'checker', language: 'py3', source: 'the answer' } as const
    expect(toShownCompare(program)).toEqual({ mode: 'checker' })
    const float = { mode: 'float', absolute: 1 } as const
    expect(toShownCompare(float)).toEqual(float)
    expect(
      ['checker', 'interactor', 'lines'].map((mode) => isJudgeProgramMode(mode as never)),
    ).toEqual([true, true, false])
  })

  test.each([
    ['x'.repeat(JUDGE_PROGRAM_LIMIT_BYTES), true],
    ['x'.repeat(JUDGE_PROGRAM_LIMIT_BYTES + 1), false],
    ['\u00e9'.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 2), true],
    [`\u00e9`.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 2) + 'x', false],
    ['\u5b57'.repeat(Math.floor(JUDGE_PROGRAM_LIMIT_BYTES / 3)), true],
    ['\u5b57'.repeat(Math.floor(JUDGE_PROGRAM_LIMIT_BYTES / 3)) + 'xx', false],
    ['\u{1f600}'.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 4), true],
    ['\u{1f600}'.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 4) + 'x', false],
    ['\u0080'.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 2) + 'x', false],
    ['\u0800'.repeat(Math.floor(JUDGE_PROGRAM_LIMIT_BYTES / 3)) + 'xx', false],
    ['\u{10000}'.repeat(JUDGE_PROGRAM_LIMIT_BYTES / 4) + 'x', false],
    ['\u007f\u07ff\uffff', true],
    [' \n', false],
    ['\ud800', false],
  ])('takes programs by their bytes (case %#)', (source, fits) => {
    const program = { mode: 'checker', language: 'cpp', source }
    expect(compareMode.safeParse(program).success).toBe(fits)
  })
})

test.each([
  ['ab', 3, 'ab'],
  ['abcd', 3, 'abc'],
  ['a\u{1f600}b', 3, 'a\u{1f600}'],
  ['a\u{1f600}b', 2, 'a\ufffd'],
  ['\ud83d', 3, '\ufffd'],
])('%j cut to %i is %j', (text, length, cut) => {
  expect(cutText(text, length)).toBe(cut)
})

describe('a homework', () => {
  const form = { name: 'one', start: 10, end: 20, problemIds: [1, 2] }

  test('ends no sooner than it begins and names no problem twice', () => {
    expect(homeworkForm.safeParse(form).success).toBe(true)
    expect(homeworkForm.safeParse({ ...form, end: 10 }).success).toBe(true)
    expect(homeworkForm.safeParse({ ...form, end: 9 }).error?.issues).toMatchObject([
      { path: ['end'], params: { code: 'min_value', min: 10 } },
    ])
    expect(homeworkForm.safeParse({ ...form, problemIds: [1, 2, 1] }).error?.issues).toMatchObject([
      { path: ['problemIds'], params: { code: 'invalid' } },
    ])
  })

  test('shows its scoreboard where it says so, from its start', () => {
    expect(isBoardOpen({ scoreboardStatus: 0, status: 'running' })).toBe(true)
    expect(isBoardOpen({ scoreboardStatus: 0, status: 'over' })).toBe(true)
    expect(isBoardOpen({ scoreboardStatus: 0, status: 'not-started' })).toBe(false)
    expect(isBoardOpen({ scoreboardStatus: 1, status: 'running' })).toBe(false)
  })
})

test('a course is in a time zone that there is', () => {
  const parse = (timeZone: string) =>
    newCourse.safeParse({ course: 'One', teacher: 'somebody', timeZone }).success
  expect(parse('Asia/Taipei')).toBe(true)
  expect(parse('Asia/Nowhere')).toBe(false)
})

test('a course has no reserved name, in any case', () => {
  const parse = (course: string) => newCourse.safeParse({ course, teacher: 'somebody' }).success
  expect(['summary', 'Summary', '.', '..'].map(parse)).toEqual([false, false, false, false])
  expect(['summaries', '...', 'One'].map(parse)).toEqual([true, true, true])
})

test('a member to add is named in one way at least', () => {
  const parse = (named: object) => memberChanges.safeParse({ add: [{ role: 'ta', ...named }] })
  expect(parse({}).error?.issues).toMatchObject([
    { path: ['add', 0, 'user'], params: { code: 'required' } },
  ])
  for (const field of ['user', 'username', 'email'])
    expect(parse({ [field]: 'somebody' }).success).toBe(true)
})

test('a host is slow from more than so many times the reference on', () => {
  const { referenceMs, slowFactor } = CALIBRATION
  expect(isSlowHost(referenceMs * slowFactor)).toBe(false)
  expect(isSlowHost(referenceMs * slowFactor + 1)).toBe(true)
})

test('a scoreboard takes each problem once, a hundred at most, and times in seconds', () => {
  const read = (query: object) => scoreboardParams.safeParse(query)
  expect(read({ pids: '3,1,,3, ', start: '0', end: '8640000000000' }).data).toEqual({
    pids: [3, 1],
    start: 0,
    end: 8_640_000_000_000,
  })
  expect(read({ pids: '' }).data).toEqual({ pids: [] })
  expect(read({}).data).toEqual({})
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',')
  expect(read({ pids: ids(100) }).data?.pids).toHaveLength(100)
  for (const wrong of [
    { pids: ids(101) },
    { pids: 'x' },
    { start: '-1' },
    { end: '8640000000001' },
    { start: '1.5' },
  ])
    expect(read(wrong).success).toBe(false)
})

test('a mask allows the languages of its bits', () => {
  expect([0, 1, 2].map((code) => isLanguageAllowed(5, code as 0 | 1 | 2))).toEqual([
    true,
    false,
    true,
  ])
  expect(() => languageOfId('cobol' as never)).toThrow('cobol')
})

describe('a file of a statement', () => {
  test.each<[string, string | undefined]>([
    ['\x89PNG\r\n\x1a\n....', 'image/png'],
    ['\xff\xd8\xff.........', 'image/jpeg'],
    ['GIF87a......', 'image/gif'],
    ['GIF89a......', 'image/gif'],
    ['GIF88a......', undefined],
    ['RIFF\0\x01\x02\x03WEBP', 'image/webp'],
    ['RIFF\0\x01\x02\x03WAVE', undefined],
    ['%PDF-1.7....', 'application/pdf'],
    ['<svg>.......', undefined],
    ['%PD', undefined],
  ])('that begins with %j is %s', (start, type) => {
    expect(fileTypeOf(Buffer.from(start, 'latin1'))).toBe(type)
  })

  test('has so many others beside it, and so many bytes', () => {
    expect(PROBLEM_FILES).toEqual({
      perProblem: 40,
      imageBytes: 4_194_304,
      pdfBytes: 16_777_216,
      totalBytes: 67_108_864,
    })
    expect(SIGNATURE_BYTES).toBe('RIFF....WEBP'.length)
  })

  test('is found by its address and by no other', () => {
    const id = '0123456789abcdef01234567'
    expect(pathOfAddress(problemFileAddress(id))).toBe(`/file/${id}`)
    for (const other of [`/file/${id}`, `x${problemFileAddress(id)}`, `${problemFileAddress(id)}x`])
      expect(pathOfAddress(other)).toBeNull()
  })
})

describe('setting up a host', () => {
  const sum = 'a'.repeat(64)
  const setup = {
    server: 'https://judge.example.org',
    secretName: 'RUNNER_TOKEN',
    secret: 'secret-words',
    installSha256: sum,
  } as const

  test('reads the sums of what is published, each from a line of its own', () => {
    const pack = 'b'.repeat(64)
    const text = `${pack}  coursejudge-runner-0f.tar.gz\n${sum}  install.sh\n`
    expect(readSums(text)).toEqual({ pack, install: sum })
    expect(readSums('<html></html>')).toEqual({ pack: undefined, install: undefined })
    expect(readSums(`${sum}  installXsh\nx${sum}  install.sh\n${sum}  install.sh.old`)).toEqual({
      pack: undefined,
      install: undefined,
    })
  })

  test('checks the script before it runs it, and passes the secret by a pipe', () => {
    expect(installLine(setup)).toBe(
      `curl -fsS https://judge.example.org/runner/install.sh -o install.sh && echo '${sum}  install.sh' | sha256sum -c - && ` +
        `printf '%s\\n' 'SERVER_URL=https://judge.example.org' 'RUNNER_TOKEN=secret-words' | sh install.sh`,
    )
    const config = cloudConfig(setup).split('\n')
    expect(config[0]).toBe('#cloud-config')
    expect(config).toContain("    permissions: '0600'")
    expect(config).toContain('      RUNNER_TOKEN=secret-words')
    expect(config.at(-2)).toContain(`echo '${sum}  install.sh' | sha256sum -c - && sh install.sh`)
  })
})

test('a row of a file says its column and its numbers', () => {
  const count = rowFault('field_count', undefined, { found: 2, wanted: 3 })
  expect(count).toEqual({
    path: [],
    code: 'field_count',
    message: 'This row has 2 fields, the header has 3.',
    params: { found: 2, wanted: 3 },
  })
  expect(faultText(count)).toBe('This row has 2 fields, the header has 3.')
  const taken = rowFault('email_taken', 'email')
  expect(taken).toEqual({
    path: ['email'],
    code: 'email_taken',
    message: 'belongs to another account',
  })
  expect(faultText(taken)).toBe('email: belongs to another account')
  expect(rowFault('field_count').message).toBe(
    'This row has {found} fields, the header has {wanted}.',
  )
})
