/** Groups of people whose last failing tries made the same mistakes. */
import { STATUS, type Verdict } from '#contract/verdicts'
import type { MistakeGroup, MistakePage } from '#contract/mistakes'
import { claim, report, reportOf } from './judge.ts'
import { mistakeOf } from './mistakes.ts'
import { numbersBelow, runSql } from './sql.ts'
import {
  addStudents,
  createProblem,
  registerRunner,
  submit,
  uniqueName,
  type Person,
} from './world.ts'

/** A problem, and people who fail at it. */
export async function createFailed() {
  const world = await createProblem()
  const { teacher, problemId } = world
  const token = await registerRunner()
  const path = `/problem/${problemId}/mistakes`

  /** Hands in for a person and judges the program. */
  async function judged(as: Person, status: Verdict, mistake: string | null = null) {
    const id = await submit(as, problemId)
    const { judgementId, lease } = (await claim(token)).data
    await report(token, judgementId, { ...reportOf(lease, status), mistake })
    return id
  }

  /** Fails with the mistake of a letter. */
  const fail = (as: Person, letter: string, status: Verdict = STATUS.WA): Promise<string> =>
    judged(as, status, mistakeOf(letter))

  return {
    ...world,
    path,
    fail,
    /** Fails because the compiler expected a semicolon. */
    failToCompile: async (as: Person, letter: string): Promise<void> => {
      const id = await fail(as, letter, STATUS.CE)
      await runSql`update judgements set compile_message = ${'main.c:1:9: error: expected a semicolon\n'}
        where submission_id = ${id}`
    },
    solve: (as: Person) => judged(as, STATUS.AC),
    /** A student who is new in the course. */
    join: async (): Promise<Person> => {
      const [person] = await addStudents(world, 1)
      if (!person) throw new Error('there is nobody')
      return person
    },
    page: async (query = ''): Promise<MistakePage> => (await teacher.get(`${path}${query}`)).data,
    /** Merges mistakes, given by their letters. */
    merge: (letters: string, into: string | null, as = teacher) =>
      as.put(`${path}/merged`, {
        mistakes: [...letters].map(mistakeOf),
        into: into === null ? null : mistakeOf(into),
      }),
    /** The groups as letters with their numbers of people: `a+b 2`. */
    groups: async (): Promise<string[]> => {
      const { data } = await teacher.get(path)
      return data.groups.map(({ mistake, merged, people }: MistakeGroup) => {
        const letters = [mistake, ...merged].map((one) => one[0])
        return `${letters.join('+')} ${people}`
      })
    },
  }
}

/** Adds students to a course who have failed at a new problem in each of their `tries`, in so many groups. */
export async function addFailed(
  course: string,
  problemId: number,
  { people, tries, groups }: { people: number; tries: number; groups: number },
): Promise<void> {
  const prefix = uniqueName('failed')
  const like = `${prefix}-%`
  await runSql`insert into users (username, username_key, email, email_confirmed_at, displayed_name, bio, password_hash, role, active, created_at)
    select ${prefix} || '-' || value, ${prefix} || '-' || value, ${prefix} || value || '@example.test', 1, 'Many', '', '', 2, 1, 1 from json_each(${numbersBelow(people)})`
  await runSql`insert into memberships (course_id, user_id, role, joined_at)
    select courses.id, users.id, 'student', 1 from courses, users
    where courses.name = ${course} and users.username like ${like}`
  await runSql`insert into submissions (id, problem_id, course_id, user_id, language_type, status, judgement_id, quota_used, ip, created_at, accepted_at)
    select printf('%012x%06x%06x', 1700000000000 + value, u.id, value), ${problemId}, c.id, u.id, 0, 1,
      printf('%012x%06x%06x', 1700000000000 + value, u.id, value), 0, '', 1700000000, 1700000000
    from courses c, users u, json_each(${numbersBelow(tries)}) where c.name = ${course} and u.username like ${like}`
  await runSql`insert into judgements (id, submission_id, course_id, user_id, state, priority, rank, queued_at, ticket_at, phase, cases_total, finished_at, status, mistake)
    select id, id, course_id, user_id, 'done', 0, 0, 1, 1, 'running', 3, 1, 1, printf('%016d', user_id % ${groups})
    from submissions where problem_id = ${problemId}`
  await runSql`insert into problem_results (problem_id, user_id, tries, scored, score_sum, best_score, worst_score, status_counts, attempts, failed_id, mistake)
    select problem_id, user_id, count(*), count(*), 0, 0, 0, json_array(0, count(*), 0, 0, 0, 0, 0, 0), '{}', max(id),
      printf('%016d', user_id % ${groups})
    from submissions where problem_id = ${problemId} group by user_id`
}
