/** Copy detection at its full size: 300 programs of 64 KiB in chunks that fit a Worker. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { copycatState } from '#contract/copycat'
import { SOURCE_LIMIT_BYTES } from '#contract/limits'
import { STEPS } from '../../../worker/background/consume-steps.ts'
import { COPYCAT } from '../../../worker/features/copycat/limits.ts'
import type { OperationStep } from '../../../worker/features/operations/step.ts'
import { deliver } from '../support/step-queue.ts'
import { firstRow } from '../support/sql.ts'
import { createProblem } from '../support/world.ts'

/** `npm run test:full` compares a large course, every other run a small one. */
// The type of `import.meta` in a Worker lacks vite's addition.
const PROGRAMS = Reflect.get(import.meta, 'env').MODE === 'full' ? 300 : 40
/** The members of a group have handed in nearly the same program. */
const GROUPS = 20

const STATEMENTS = [
  'for (int i = 0; i < n; i++) {',
  'a[i] = b + 3;',
  'if (x > y) return x;',
  'while (k--) {',
  '}',
  'printf("%d", z);',
  'int t = f(x, 2);',
  'x ^= y << 3;',
  's = s * 31 + c[j];',
]

/** A program of full length; within a group only a few statements differ. */
function programOf(index: number): string {
  let shared = (index % GROUPS) + 1
  let own = index + 1_000
  const next = (state: number) => (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  let code = ''
  while (code.length < SOURCE_LIMIT_BYTES - 40) {
    shared = next(shared)
    own = next(own)
    const state = own >>> 16 < 1_000 ? own : shared
    code += `${STATEMENTS[(state >>> 16) % STATEMENTS.length] ?? ''}\n`
  }
  return code
}

test('a large course of programs of full length is compared chunk by chunk, and every group is found', async () => {
  const { course, teacher, problemId } = await createProblem()
  const now = 1_700_000_000
  for (let index = 0; index < PROGRAMS; index += 1) {
    const id = 800_000 + index
    await env.DB.batch([
      env.DB.prepare(
        `insert into users (id, username, username_key, email, displayed_name, role, active, created_at)
         values (?1, 'p' || ?1, 'p' || ?1, 'p' || ?1, '', 2, 1, ?2)`,
      ).bind(id, now),
      env.DB.prepare(
        `insert into submissions (id, problem_id, course_id, user_id, language_type, status, quota_used, ip, created_at)
         select printf('%024x', ?1), id, course_id, ?1, 0, 0, 0, '', ?2 from problems where id = ?3`,
      ).bind(id, now, problemId),
      env.DB.prepare(
        `insert into submission_sources (submission_id, code) values (printf('%024x', ?1), ?2)`,
      ).bind(id, new TextEncoder().encode(programOf(index))),
    ])
  }
  const started = await teacher.post('/copycat', { course, problemId })
  expect(started.data.count).toBe(2 * PROGRAMS)
  const times: number[] = []
  const timed: OperationStep = async (context) => {
    const start = performance.now()
    const outcome = await STEPS.copycat(context)
    times.push(performance.now() - start)
    return outcome
  }
  const { jobId } = started.data
  const isOpen = () =>
    firstRow`select 1 from operations where id = ${jobId} and finished_at is null`
  while (await isOpen()) await deliver({ v: 1, jobId }, { copycat: timed })
  const path = `/copycat?course=${course}&problemId=${problemId}`
  const state = copycatState.parse((await teacher.get(path)).data)
  if (state.state !== 'done') throw new Error(JSON.stringify(state).slice(0, 500))
  console.log(
    `${PROGRAMS} programs: ${times.length} chunks, the longest ${Math.round(Math.max(...times))} ms, all ${Math.round(times.reduce((sum, ms) => sum + ms, 0))} ms`,
  )
  // A queue consumer may compute for 30 s, so the work is divided.
  expect(times.length).toBeGreaterThan(PROGRAMS / 10)
  expect(state.comparedCount).toBe((PROGRAMS * (PROGRAMS - 1)) / 2)
  const perGroup = PROGRAMS / GROUPS
  const copied = Math.min((GROUPS * perGroup * (perGroup - 1)) / 2, COPYCAT.pairs)
  for (const { left, right, similarity } of state.pairs.slice(0, copied)) {
    const [one, other] = [left, right].map(({ user }) => Number(user.username.slice(1)) % GROUPS)
    expect(one).toBe(other)
    expect(similarity).toBeGreaterThan(0.6)
  }
})
