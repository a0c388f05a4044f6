import { describe, expect, test } from 'vitest'
import { toShownCompare, tolerancesOf } from '#contract/problems/compare'
import { claim, emptyQueue } from '../support/judge.ts'
import {
  createCourse,
  createProblem,
  fetchApi,
  problemForm,
  registerRunner,
  submit,
} from '../support/world.ts'

const SECRET = 'secret_answer_42'
const CHECKER = { mode: 'checker', language: 'py3', source: `# ${SECRET}\r\nexit(0)\n` }
const INTERACTOR = { mode: 'interactor', language: 'cpp', source: `int main() {} // ${SECRET} é` }

describe('how a problem compares outputs', () => {
  test.each([
    { mode: 'lines' },
    { mode: 'tokens' },
    { mode: 'exact' },
    { mode: 'float' },
    { mode: 'float', absolute: 0.001 },
    { mode: 'float', absolute: 0, relative: 1e-9 },
    CHECKER,
    INTERACTOR,
    { ...CHECKER, source: 'é'.repeat(32_768) },
  ])('is kept as it was given and goes to the runner: $mode', async (compare) => {
    await emptyQueue()
    const { teacher, student, problemId } = await createProblem({ compare })
    const read = await teacher.get(`/problem/manage/${problemId}`)
    expect(read.data.compare).toEqual(compare)
    await submit(student, problemId)
    expect((await claim(await registerRunner())).data.compare).toEqual(compare)
  })

  test('is by lines where nothing is said', async () => {
    const { student, problemId } = await createProblem()
    const read = await student.get(`/problem/${problemId}`)
    expect(read.data.compare).toEqual({ mode: 'lines' })
  })

  test.each<[string, unknown, (string | number)[], string]>([
    ['no mode', {}, ['compare', 'mode'], 'required'],
    ['an unknown mode', { mode: 'fuzzy' }, ['compare', 'mode'], 'invalid'],
    ['a negative tolerance', { mode: 'float', absolute: -1 }, ['compare', 'absolute'], 'min_value'],
    [
      'a tolerance that is a text',
      { mode: 'float', relative: '1' },
      ['compare', 'relative'],
      'number',
    ],
    ['a checker in C', { ...CHECKER, language: 'c' }, ['compare', 'language'], 'invalid'],
    [
      'a checker without code',
      { mode: 'checker', language: 'py3' },
      ['compare', 'source'],
      'required',
    ],
    ['a blank checker', { ...CHECKER, source: ' \n' }, ['compare', 'source'], 'required'],
    [
      'a checker over 256 KiB of UTF-8',
      { ...CHECKER, source: 'é'.repeat(131_073) },
      ['compare', 'source'],
      'max_length',
    ],
    ['a lone surrogate', { ...INTERACTOR, source: 'x\ud800' }, ['compare', 'source'], 'invalid'],
  ])('%s is refused by field', async (_what, compare, path, code) => {
    const { course, teacher } = await createCourse()
    const json = { course, ...problemForm({ compare }) }
    const answer = await teacher.post('/problem/manage', json)
    expect(answer).toMatchObject({ status: 400, data: [{ path, code }] })
  })

  test('an edit of it alone makes earlier reads stale', async () => {
    const { teacher, problemId } = await createProblem({ compare: CHECKER })
    const path = `/problem/manage/${problemId}`
    const read = await teacher.get(path)
    const headers = { 'If-Match': read.headers.get('ETag') ?? '' }
    const edit = (source: string) =>
      teacher.put(path, problemForm({ compare: { ...CHECKER, source } }), headers)
    expect((await edit('exit(1)')).status).toBe(200)
    expect((await edit('exit(2)')).code).toBe('stale_edit')
  })

  test('a copy of the problem has it too', async () => {
    const { course, teacher, problemId } = await createProblem({ compare: INTERACTOR })
    const copy = await teacher.post(`/problem/${problemId}/copy`, { course })
    const read = await teacher.get(`/problem/manage/${copy.data.problemId}`)
    expect(read.data.compare).toEqual(INTERACTOR)
  })

  test.each([CHECKER, INTERACTOR])(
    'students see the mode and never the program: $mode',
    async (compare) => {
      const { course, teacher, student, problemId } = await createProblem({ compare })
      const submissionId = await submit(student, problemId)
      const seen = await student.get(`/problem/${problemId}`)
      expect(seen.data.compare).toEqual({ mode: compare.mode })
      for (const path of [
        `/problem/${problemId}`,
        `/problem/manage/${problemId}`,
        `/problem?course=${encodeURIComponent(course)}`,
        `/problem/${problemId}/stats`,
        `/submission/${submissionId}`,
        `/submission?problemId=${problemId}`,
        '/auth/me/export',
      ]) {
        const answer = await fetchApi('GET', path, { as: student })
        expect(await answer.text()).not.toContain(SECRET)
      }
      const forStaff = await fetchApi('GET', `/problem/${problemId}`, { as: teacher })
      expect(await forStaff.text()).not.toContain(SECRET)
    },
  )
})

test('tolerances: both default where none is named, a missing one is 0 beside a named one', () => {
  expect(tolerancesOf({})).toEqual({ absolute: 1e-6, relative: 1e-6 })
  expect(tolerancesOf({ absolute: 0.5 })).toEqual({ absolute: 0.5, relative: 0 })
  expect(tolerancesOf({ relative: 1e-9 })).toEqual({ absolute: 0, relative: 1e-9 })
  expect(toShownCompare({ mode: 'float', absolute: 1 })).toEqual({ mode: 'float', absolute: 1 })
})
