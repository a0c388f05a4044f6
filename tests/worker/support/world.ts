/** People, courses and problems for API tests, and calls in their name. All names are new. */
import { env, exports } from 'cloudflare:workers'
import { openDb } from '../../../worker/db/client.ts'
import { sessions, users } from '../../../worker/db/schema.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { newSecret, sha256Hex } from '../../../worker/lib/ids.ts'
import { zipOf } from './zip.ts'
import { runSql } from './sql.ts'

/** A person's password; its hash is ready-made, so that only tests of signing in spend time on hashing. */
export const PASSWORD = 'demo-password'
const PASSWORD_HASH =
  '$scrypt-chain$n=5,ln=14,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$ycyby7kKHr6TfwneDpOdKLKkmmVHASe5UXpQTmUfJFo'

export const REGISTRATION_TOKEN = 'registration-token-of-the-tests'

type HeaderValues = Record<string, string>

/** A person with a live session, and API calls in their name. */
export class Person {
  readonly id: number
  readonly username: string
  readonly cookie: string

  constructor(id: number, username: string, cookie: string) {
    this.id = id
    this.username = username
    this.cookie = cookie
  }

  get(path: string, headers?: HeaderValues) {
    return call('GET', path, { as: this, headers })
  }

  post(path: string, json?: unknown, headers?: HeaderValues) {
    return call('POST', path, { as: this, json, headers })
  }

  put(path: string, json?: unknown, headers?: HeaderValues) {
    return call('PUT', path, { as: this, json, headers })
  }

  patch(path: string, json?: unknown, headers?: HeaderValues) {
    return call('PATCH', path, { as: this, json, headers })
  }

  delete(path: string, json?: unknown, headers?: HeaderValues) {
    return call('DELETE', path, { as: this, json, headers })
  }

  /** The same person with the session from an answer. */
  withSessionOf({ headers }: { headers: Headers }): Person {
    return new Person(this.id, this.username, headers.get('Set-Cookie')?.split(';')[0] ?? '')
  }
}

/** The Worker's own entry. Its type exists only where wrangler has generated types. */
const worker: Fetcher = Reflect.get(exports, 'default')

let counter = 0

/** A name that is not taken. */
export function uniqueName(prefix: string): string {
  counter += 1
  return `${prefix}${counter}`
}

/** An active account with a session and a confirmed email address. Role: 0 admin, 1 teacher, 2 student. */
export async function createPerson(
  role: 0 | 1 | 2,
  options: { active?: boolean; emailConfirmed?: boolean } = {},
): Promise<Person> {
  const username = uniqueName(['admin', 'teacher', 'student'][role] ?? 'person')
  const db = openDb(env.DB)
  const now = nowSeconds()
  const [user] = await db
    .insert(users)
    .values({
      username,
      usernameKey: username.toLowerCase(),
      email: `${username}@example.test`,
      emailConfirmedAt: (options.emailConfirmed ?? true) ? now : null,
      displayedName: `The ${username}`,
      role,
      passwordHash: PASSWORD_HASH,
      active: options.active ?? true,
      createdAt: now,
    })
    .returning({ id: users.id })
  if (!user) throw new Error('no user was made')
  const token = newSecret()
  await db.insert(sessions).values({
    tokenHash: await sha256Hex(token),
    userId: user.id,
    createdAt: now,
    lastSeenAt: now,
    confirmedAt: now,
    ip: '127.0.0.1',
    agent: 'tests',
  })
  return new Person(user.id, username, `__Host-session=${token}`)
}

/** An account for each role. */
export async function createPeople<const Roles extends readonly (0 | 1 | 2)[]>(...roles: Roles) {
  const people: Person[] = []
  for (const role of roles) people.push(await createPerson(role))
  return people as { -readonly [Index in keyof Roles]: Person }
}

/** Tries to sign in. */
export function signIn(username: string, password = PASSWORD, headers?: HeaderValues) {
  return call('POST', '/auth/session', { json: { username, password }, headers })
}

/** A parsed answer. */
export interface Answer {
  status: number
  headers: Headers
  code: string | undefined
  message: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  data: any
}

export interface CallOptions {
  as?: Person | undefined
  token?: string
  json?: unknown
  body?: BodyInit
  headers?: HeaderValues | undefined
}

/** A request like the web app's. */
export function requestOf(method: string, path: string, options: CallOptions = {}): Request {
  const headers = new Headers({
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Dest': 'empty',
    'Sec-Fetch-Mode': 'cors',
    ...options.headers,
  })
  if (options.as) headers.set('Cookie', options.as.cookie)
  if (options.token) headers.set('Authorization', `Bearer ${options.token}`)
  if (options.json !== undefined) headers.set('Content-Type', 'application/json')
  const body = options.json === undefined ? options.body : JSON.stringify(options.json)
  return new Request(`https://judge.test/api${path}`, { method, headers, body, redirect: 'manual' })
}

/** A raw call to the Worker's own entry. */
export async function fetchApi(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Response> {
  return worker.fetch(requestOf(method, path, options))
}

/** A call that is answered by the envelope. */
export async function call(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const response = await fetchApi(method, path, options)
  const text = await response.text()
  const body = text === '' ? {} : JSON.parse(text)
  return {
    status: response.status,
    headers: response.headers,
    code: body.code,
    message: body.message,
    data: body.data,
  }
}

/** A course with a teacher, a TA and a student. */
export async function createCourse(): Promise<{
  course: string
  teacher: Person
  ta: Person
  student: Person
}> {
  const [teacher, ta, student] = await createPeople(1, 2, 2)
  const course = uniqueName('Course ')
  const made = await teacher.post('/course', { course, teacher: teacher.username })
  if (made.status !== 200) throw new Error(`no course: ${made.message}`)
  await teacher.patch(`/course/${course}/members`, {
    add: [
      { user: ta.username, role: 'ta' },
      { user: student.username, role: 'student' },
    ],
  })
  return { course, teacher, ta, student }
}

/** Adds a person to a course. */
export function addMember(
  { course, teacher }: { course: string; teacher: Person },
  { username }: Person,
  role: 'ta' | 'student' = 'student',
): Promise<Answer> {
  return teacher.patch(`/course/${course}/members`, { add: [{ user: username, role }] })
}

/** Adds this many further students to a course. */
export async function addStudents(
  { course, teacher }: { course: string; teacher: Person },
  count: number,
): Promise<Person[]> {
  const people: Person[] = []
  for (let index = 0; index < count; index += 1) people.push(await createPerson(2))
  const add = people.map(({ username }) => ({ user: username, role: 'student' }))
  await teacher.patch(`/course/${course}/members`, { add })
  return people
}

/** The full form of a small visible problem: a sample subtask of one case, and one of two cases for 100 points. */
export function problemForm(changes: Record<string, unknown> = {}) {
  return {
    problemName: 'A plus B',
    status: 0 as const,
    description: { description: 'Add two numbers.', sampleInput: ['1 2'], sampleOutput: ['3'] },
    testCase: [
      { caseCount: 1, taskScore: 0, memoryLimit: 65_536, timeLimit: 1000 },
      { caseCount: 2, taskScore: 100, memoryLimit: 65_536, timeLimit: 1000 },
    ],
    ...changes,
  }
}

/** The files of a zip that fits `problemForm`. */
export const FITTING_ENTRIES: Record<string, string> = {
  '0000.in': '1 2\n',
  '0000.out': '3\n',
  '0100.in': '2 2\n',
  '0100.out': '4\n',
  '0101.in': '5 5\n',
  '0101.out': '10\n',
}

/** A visible problem with test data in a new course. */
export async function createProblem(changes: Record<string, unknown> = {}) {
  const world = await createCourse()
  const made = await world.teacher.post('/problem/manage', {
    course: world.course,
    ...problemForm(changes),
  })
  const problemId = Number(made.data.problemId)
  await uploadZip(world.teacher, problemId, FITTING_ENTRIES)
  return { ...world, problemId }
}

/** Uploads a zip of these files in one form. */
export async function uploadZip(
  as: Person,
  problemId: number,
  entries: Record<string, string>,
): Promise<Answer> {
  const form = new FormData()
  form.set('case', new File([await zipOf(entries)], 'data.zip'))
  return call('PUT', `/problem/manage/${problemId}`, { as, body: form })
}

/** Hands in code; throws if the call fails. */
export async function submit(
  as: Person,
  problemId: number,
  code = 'int main(){}',
  languageType = 0,
): Promise<string> {
  const answer = await as.post('/submission', { problemId, languageType, code })
  if (answer.status !== 200) throw new Error(`not taken: ${answer.message}`)
  return answer.data.submissionId
}

/** Registers a runner and answers its token. Its many slots keep limits on hosts out of most tests. */
export async function registerRunner(slots = 64): Promise<string> {
  await runSql`delete from rate_limits where key = 'runner:register'`
  const answer = await call('POST', '/runner/register', {
    token: REGISTRATION_TOKEN,
    json: {
      name: uniqueName('runner'),
      slots,
      version: '0.0.0',
      host: { hostname: 'h', kernel: 'k', cpu: 'c', cores: 2, memoryKb: 1, cgroup: 'v2' },
    },
  })
  if (answer.status !== 200) throw new Error(`not registered: ${answer.message}`)
  return answer.data.token
}
