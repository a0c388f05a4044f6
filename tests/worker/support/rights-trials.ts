/** For each capability that SQL asks for: the standings whose right changes, and what must follow. */
import { sql } from 'drizzle-orm'
import { env } from 'cloudflare:workers'
import type { Capability, Standing } from '#contract/roles'
import { rawQuery, openDb } from '../../../worker/db/client.ts'
import { listListeners } from '../../../worker/db/listeners.ts'
import { listPrograms } from '../../../worker/features/copycat/queries.ts'
import { isDispensable } from '../../../worker/features/users/queries.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { ask, type RightsWorld } from './rights-world.ts'
import { firstRow, runSql } from './sql.ts'
import { createPerson, uniqueName, type Person } from './world.ts'

/** Whether a person can do something; `standing` is theirs in the course. */
type Probe = (world: RightsWorld, as: Person, standing: Standing) => Promise<boolean>

interface Trial {
  /** The standings that get the right, or lose it. */
  standings: readonly Standing[]
  probes: Record<string, Probe>
}

/** Whether a read succeeds. */
const reads =
  (pathOf: (world: RightsWorld) => string): Probe =>
  async (world, as) =>
    (await ask(as, 'GET', pathOf(world))).status === 200

/** Whether an answer to the person contains a name. */
const shows =
  (pathOf: (world: RightsWorld) => string, nameOf: (world: RightsWorld) => string): Probe =>
  async (world, as) =>
    (await ask(as, 'GET', pathOf(world))).text.includes(`"${nameOf(world)}"`)

/** Whether an answer to the teacher contains the person's name. */
const listsTo =
  (pathOf: (world: RightsWorld) => string): Probe =>
  async (world, { username }) =>
    (await ask(world.teacher, 'GET', pathOf(world))).text.includes(`"${username}"`)

/** Whether the person gets hints for people with a capability. */
const hears =
  (capability: Capability): Probe =>
  async ({ courseId }, { id }) =>
    (await listListeners(openDb(env.DB), courseId, { capability, but: 0 }, nowSeconds())).includes(
      id,
    )

/** Whether a poll for a waiting submission gets a 304. */
const polls =
  (which: 'pending' | 'own'): Probe =>
  async ({ submissions, admin }, as) => {
    const path = `/submission/${submissions[which]}`
    const { tag } = await ask(admin, 'GET', path)
    return (await ask(as, 'GET', path, undefined, { 'If-None-Match': tag })).status === 304
  }

/** Hands in although the person's rate limit is used up. */
async function handInLimited({ problems }: RightsWorld, as: Person): Promise<number> {
  const [key, full] = [`submit:user:${as.id}`, Date.now() + 100_000]
  await runSql`insert into rate_limits (key, full_at_ms, allowed) values (${key}, ${full}, 1)
    on conflict do update set full_at_ms = ${full}`
  const json = { problemId: problems.visible, languageType: 0, code: 'int main(){}' }
  return (await ask(as, 'POST', '/submission', json)).status
}

/** Signs one person up; answers whether the account is stored, and whether its email address counts. */
async function signUpOne(as: Person, course?: string) {
  const name = uniqueName('signed')
  const newUsers = `username,password,email\n${name},long enough words,${name}@example.test`
  const { status } = await ask(as, 'POST', '/auth/batch-signup', { newUsers, course })
  const row = await firstRow<{ at: number | null }>`
    select email_confirmed_at as at from users where username = ${name}`
  return { isStored: status === 200 && row !== null, counts: (row?.at ?? null) !== null }
}

/** Whether an account with an unconfirmed address cannot get a role in its own course, because that role sees others' work. */
const isKeptFromClaims: Probe = async ({ course, courseId, teacher }, _, role) => {
  const claim = await createPerson(2, { emailConfirmed: false })
  await runSql`update users set made_in_course_id = ${courseId} where id = ${claim.id}`
  const json = { add: [{ user: claim.username, role }] }
  return (await ask(teacher, 'PATCH', `/course/${course}/members`, json)).status === 409
}

/** Every capability that SQL checks. */
export const TRIALS: Partial<Record<Capability, Trial>> = {
  'course.read': {
    standings: ['student'],
    probes: {
      'the list of courses': shows(
        () => '/course',
        ({ course }) => course,
      ),
      'the course': reads(({ course }) => `/course/${course}`),
      'what is due': shows(
        () => '/homework',
        ({ homeworks }) => homeworks.running,
      ),
      'a problem': reads(({ problems }) => `/problem/${problems.visible}`),
      'polling an own submission': polls('own'),
      'hints of announcements': hears('course.read'),
    },
  },
  'problem.readHidden': {
    standings: ['ta', 'student'],
    probes: {
      'the list': async ({ course, problems }, as) => {
        const { data } = await ask(as, 'GET', `/problem?course=${course}`)
        const ids = new Set(data.items.map(({ problemId }: { problemId: number }) => problemId))
        return ids.has(problems.hidden) && ids.has(problems.heldBack)
      },
      'a hidden problem': reads(({ problems }) => `/problem/${problems.hidden}`),
      'one that is held back': reads(({ problems }) => `/problem/${problems.heldBack}`),
      'a homework to come of a problem': shows(
        ({ problems }) => `/problem/${problems.visible}`,
        ({ homeworks }) => homeworks.coming,
      ),
      'the problems of a homework': async ({ homeworks, problems }, as) => {
        const { data } = await ask(as, 'GET', `/homework/${homeworks.running}`)
        return data.problemIds.includes(problems.hidden)
      },
      'handing in': async ({ problems }, as) => {
        const json = { problemId: problems.hidden, languageType: 0, code: 'x' }
        return (await ask(as, 'POST', '/submission', json)).status !== 404
      },
    },
  },
  'course.manage': {
    standings: ['ta'],
    probes: {
      'deleted courses': async ({ deleted: { course } }, as) => {
        await runSql`update courses set deleted_at = ${nowSeconds()} where name = ${course}`
        return (await ask(as, 'GET', '/course?deleted=true')).text.includes(`"${course}"`)
      },
      restoring: async ({ deleted: { course } }, as) => {
        await runSql`update courses set deleted_at = ${nowSeconds()} where name = ${course}`
        return (await ask(as, 'POST', `/course/${course}/restore`)).status === 200
      },
    },
  },
  'members.manage': {
    standings: ['ta'],
    probes: {
      'finding members of other courses': shows(
        ({ course, further }) => `/course/${course}/people?search=${further.known.username}`,
        ({ further }) => further.known.username,
      ),
      'signing up many': async ({ course }, as) => (await signUpOne(as, course)).isStored,
    },
  },
  'submission.create': {
    standings: ['student'],
    probes: {
      'the limits on handing in': async (world, as) => (await handInLimited(world, as)) === 429,
    },
  },
  'quota.exempt': {
    standings: ['ta', 'student'],
    probes: {
      'no limits on handing in': async (world, as) => (await handInLimited(world, as)) === 200,
    },
  },
  'submission.readAll': {
    standings: ['ta', 'student'],
    probes: {
      'the list': shows(
        ({ course }) => `/submission?course=${course}`,
        ({ submissions }) => submissions.pending,
      ),
      'one of somebody else': reads(({ submissions }) => `/submission/${submissions.pending}`),
      'polling it': polls('pending'),
      'what waits for staff': shows(
        () => '/overview',
        ({ course }) => course,
      ),
      'own programs out of copy detection': async ({ problemId }, { username }) => {
        const selection = { problemId, usernames: [username] }
        return (await listPrograms(openDb(env.DB), selection)).length === 0
      },
      'no such role without an e-mail that counts': isKeptFromClaims,
    },
  },
  'submission.rejudge': {
    standings: ['ta', 'student'],
    probes: {
      'rejudging by course': async ({ problemId }, as) => {
        const { status } = await ask(as, 'POST', '/runners/requeue', { status: 6, problemId })
        return status === 202
      },
    },
  },
  'question.answer': {
    standings: ['ta', 'student'],
    probes: {
      'the badge in the list of courses': async ({ course }, as) => {
        const { data } = await ask(as, 'GET', '/course')
        const found = data.find((item: { course: string }) => item.course === course)
        return found.waitingQuestions > 0
      },
      'the badge of the course': async ({ course }, as) =>
        (await ask(as, 'GET', `/course/${course}`)).data.waitingQuestions > 0,
      'the list': shows(
        ({ course }) => `/course/${course}/questions`,
        ({ questionId }) => questionId,
      ),
      'a question': reads(({ questionId }) => `/question/${questionId}`),
      'hints of questions': hears('question.answer'),
    },
  },
  'scoreboard.appear': {
    standings: ['ta', 'student'],
    probes: {
      'the scoreboard of the course': listsTo(({ course }) => `/course/${course}/scoreboard`),
      'the same of a time': listsTo(({ course }) => `/course/${course}/scoreboard?start=1`),
      'the statistics of a problem': listsTo(
        ({ problems }) => `/problem/${problems.visible}/stats`,
      ),
      'the scoreboard of a homework': listsTo(
        ({ homeworks }) => `/homework/${homeworks.running}/scoreboard`,
      ),
      'the dates of a homework': listsTo(({ homeworks }) => `/homework/${homeworks.running}/dates`),
    },
  },
  'queue.read': {
    standings: ['ta', 'student'],
    probes: { 'the queue': reads(() => '/runners/queue') },
  },
  'course.create': {
    standings: ['instructor'],
    probes: {
      'the own course': reads(({ course }) => `/course/${course}`),
      'the list of courses': shows(
        () => '/course',
        ({ course }) => course,
      ),
      'a hidden problem': reads(({ problems }) => `/problem/${problems.hidden}`),
      'polling a submission': polls('pending'),
      'hints of questions': hears('question.answer'),
      'being named as teacher': async ({ admin }, { username }) => {
        const json = { course: uniqueName('Named '), teacher: username }
        return (await ask(admin, 'POST', '/course', json)).status === 200
      },
    },
  },
  'users.manage': {
    standings: ['instructor'],
    probes: {
      'signing up without a course': async (_, as) => (await signUpOne(as)).isStored,
      'vouching for e-mails': async ({ course }, as) => (await signUpOne(as, course)).counts,
      'taking the last admin’s place': async ({ admin }) => {
        const query = sql`select ${isDispensable(admin.id)} as is_dispensable`
        const [row] = await rawQuery<{ is_dispensable: 0 | 1 }>(openDb(env.DB), query)
        return row?.is_dispensable === 1
      },
    },
  },
}
