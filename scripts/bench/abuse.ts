/** `npm run bench -- abuse`: how much single bad actors slow everybody else. */
import { fillPeople, PASSWORD, STUDENT_IDS } from './installation.ts'
import { percentile, timed, type Report } from './report.ts'
import { send, withBenchStack, type BenchStack } from './stack.ts'

const ROUNDS = 20
/** How many honest calls are measured at most beside one burst. */
const MAX_CALLS = 50
const GUESSES = 120
const WRITES = 120
const READS = 50
/** Honest readers beside a burst; each has a rate of their own. */
const ASSISTANTS = 50
/** A homework of a large class with many submissions. */
const CLASS = { people: 300, problems: 10, attempts: 10 } as const

interface Attack {
  what: string
  /** One call of an honest caller, a different one each time; throws when the call is refused. */
  honest(index: number): Promise<unknown>
  /** Call number `index` of a burst of simultaneous calls. Each burst comes from a new abuser, so no rate limit is used up at its start. */
  attack(index: number, burst: number): Promise<unknown>
  calls: number
  /** The number of bursts; set it if a burst takes long. The number of honest calls without a burst stays the same. */
  rounds?: number
  /** The bound: the time of an honest call beside a burst ÷ the time of an honest call alone. */
  most: number
}

/**
 * Measures the honest call alone and beside a burst, in turn, so that other work of the machine slows both alike.
 * Reports the ratio of the medians.
 */
async function reportBeside(report: Report, made: Attack): Promise<void> {
  const { what, attack, calls, rounds = ROUNDS, most } = made
  const [alone, beside]: [number[], number[]] = [[], []]
  let calledCount = 0
  const honest = () => made.honest(calledCount++)
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < ROUNDS / rounds; count += 1) alone.push(await timed(honest))
    const state = { lasts: true }
    const burst = Promise.all(Array.from({ length: calls }, (_, index) => attack(index, round)))
    const over = burst.finally(() => (state.lasts = false))
    const times: number[] = []
    do times.push(await timed(honest))
    while (state.lasts && times.length < MAX_CALLS)
    await over
    beside.push(times.reduce((sum, time) => sum + time, 0) / times.length)
  }
  const title = `${what}: beside ÷ alone`
  report.ratio(title, percentile(beside, 0.5), percentile(alone, 0.5), most)
}

/** The id of the first assistant. No assistant is in the class. */
const FIRST_ASSISTANT = 2_001

/** Adds a class whose homework has a scoreboard for students; returns the scoreboard's path. */
async function fillBoard({ db }: BenchStack): Promise<string> {
  const [course, id] = [9_000, 'b'.repeat(24)]
  const numbers = (count: number) =>
    `(with recursive c(n) as (values(0) union all select n + 1 from c where n + 1 < ${count}) select n from c)`
  const now = Math.floor(Date.now() / 1_000)
  const attempts = `(select json_group_object(printf('%012x%06x%06x', ${now}000, p.n, a.n), json_array(${now}, 1, a.n)) from ${numbers(CLASS.attempts)} a)`
  await db.batch(
    [
      `insert into courses (id, name, name_key, teacher_id, time_zone, created_at) values (${course}, 'Large', 'large', 101, 'UTC', ${now})`,
      `insert into memberships (course_id, user_id, role, joined_at) select ${course}, 1001 + n, 'student', ${now} from ${numbers(CLASS.people)}`,
      `insert into memberships (course_id, user_id, role, joined_at) select ${course}, ${FIRST_ASSISTANT} + n, 'ta', ${now} from ${numbers(ASSISTANTS)}`,
      `insert into problems (id, course_id, name, status, type, owner_id, tags, quota, allowed_language, description, compare, created_at, updated_at)
        select ${course} + n, ${course}, 'Large ' || n, 0, 0, 101, '[]', -1, 7, description, compare, ${now}, ${now} from ${numbers(CLASS.problems)}, problems where id = 1`,
      `insert into homeworks (id, course_id, name, markdown, start_at, end_at, scoreboard_status, created_at, updated_at)
        values ('${id}', ${course}, 'Large', '', ${now - 86_400}, ${now + 86_400}, 0, ${now}, ${now})`,
      `insert into homework_problems (homework_id, problem_id, position) select '${id}', ${course} + n, n from ${numbers(CLASS.problems)}`,
      `insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, fastest_id, leanest_id, attempts)
        select ${course} + q.n, 1001 + p.n, ${CLASS.attempts}, ${CLASS.attempts}, 0, 9, 0, '[0,${CLASS.attempts},0,0,0,0,0,0]', null, null, ${attempts} from ${numbers(CLASS.people)} p, ${numbers(CLASS.problems)} q`,
    ].map((sql) => db.prepare(sql)),
  )
  return `/api/homework/${id}/scoreboard`
}

export async function benchAbuse(report: Report): Promise<void> {
  await withBenchStack(async (stack) => {
    const { beginSession } = await fillPeople(stack)
    const sessionsOf = (firstId: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => beginSession(firstId + index)))
    const abusers = await sessionsOf(STUDENT_IDS[0] ?? 0, ROUNDS)
    const assistants = await sessionsOf(FIRST_ASSISTANT, ASSISTANTS)
    const attempt = (username: string, password: string, ip: string, allowed: number[]) => {
      const headers = { 'CF-Connecting-IP': ip }
      const call = { path: '/api/auth/session', method: 'POST', cookie: '', headers }
      return send(stack, { ...call, json: { username, password } }, allowed)
    }
    const signIn = (index: number) =>
      attempt(`student${1_000 + (index % 1_000)}`, PASSWORD, '192.0.2.1', [200])
    await reportBeside(report, {
      what: `a sign-in beside ${GUESSES} wrong guesses at once from one address`,
      honest: signIn,
      attack: (index, burst) =>
        attempt(`student${index + 1}`, 'a wrong guess', `2001:db8:${burst}::1`, [403, 429]),
      calls: GUESSES,
      rounds: 1,
      // A person who signs in waits for one guess, because hashing takes turns.
      most: 3,
    })
    await reportBeside(report, {
      what: `a sign-in beside ${WRITES} profiles that one student saves at once`,
      honest: signIn,
      attack: (index, burst) => {
        const call = { path: '/api/profile', method: 'POST', cookie: abusers[burst] ?? '' }
        return send(stack, { ...call, json: { bio: `edit ${index}` } }, [200, 429])
      },
      calls: WRITES,
      // Refused calls cost a look-up, too, and here they share one thread with the hash.
      most: 3,
    })
    const path = await fillBoard(stack)
    await reportBeside(report, {
      what: `the scoreboard of ${CLASS.people} people beside ${READS} calls of one student`,
      honest: (index) => send(stack, { path, cookie: assistants[index % ASSISTANTS] ?? '' }),
      attack: (_, burst) => send(stack, { path, cookie: abusers[burst] ?? '' }, [200, 429]),
      calls: READS,
      rounds: 5,
      most: 10,
    })
  }, true)
}
