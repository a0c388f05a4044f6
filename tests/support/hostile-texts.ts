/** Texts whose images and links are API calls, or lie on a foreign host, in every place where people write. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { announcementCreated } from '#contract/announcements'
import { homeworkCreated } from '#contract/homeworks'
import { problemCreated } from '#contract/problems'
import { questionCreated } from '#contract/questions'
import { submissionCreated } from '#contract/submissions'
import type { ApiClient } from '../../scripts/api-client.ts'
import { afterThisFile } from './clean-up.ts'
import { clientOf } from './stack.ts'

const COURSE = '/course/Demo'
const anything = z.unknown()

/** A judge whose demo course is full of hostile texts. */
export interface HostileJudge {
  /** The student's submission that the texts try to have rejudged. */
  submissionId: string
  /** Pages that show such a text. */
  shown: string[]
  /** Pages with a form that shows such a text. */
  edited: string[]
  /** A question, and a saved reply for its answer. */
  question: string
  /** The image on a foreign host, and the requests that the host got. */
  foreignImage: string
  foreignRequests: string[]
}

/** A foreign host that records its requests. */
async function startForeignHost(): Promise<{ image: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.writeHead(200, { 'Content-Type': 'image/svg+xml' }).end('<svg/>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  afterThisFile(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { image: `http://elsewhere.localhost:${port}/cat.png`, requests }
}

/** Some ways to write the address of a call; `tests/web/text-address.test.ts` tests all of them. */
function waysTo(path: string, api: string): string[] {
  const { host, hostname } = new URL(api)
  return [
    path,
    `${api}${path}`,
    `../../../../..${path}`,
    `//${host}${path}`,
    `<\\\\\\\\${host}${path.replaceAll('/', '\\')}>`,
    path.replace('/api/', '/api/file/../'),
    path.replace('/api/', '/%61pi/'),
    `http://user:pass@${hostname.toUpperCase()}.:${new URL(api).port}${path}`,
  ]
}

/** As many of the lines as fit into this length. */
function linesWithin(lines: string[], length: number): string {
  const fitting = lines.filter(
    (_, index) => lines.slice(0, index + 1).join('\n\n').length <= length,
  )
  return fitting.join('\n\n')
}

/** Writes a staff text in every place for one; answers the pages that show it and the pages that edit it. */
async function writeAsStaff(teacher: ApiClient, admin: ApiClient, markdown: string) {
  const title = 'Look at this'
  const ann = { title, markdown }
  const { annId } = await teacher.call('POST', '/ann', announcementCreated, {
    json: { ...ann, courseName: 'Demo' },
  })
  const system = await admin.call('POST', '/ann', announcementCreated, { json: ann })
  const now = Math.floor(Date.now() / 1_000)
  const times = { start: now - 60, end: now + 86_400 }
  const { id } = await teacher.call('POST', '/homework', homeworkCreated, {
    json: { name: title, courseName: 'Demo', markdown, ...times, problemIds: [1] },
  })
  const parts = { description: markdown, input: markdown, output: markdown, hint: markdown }
  const { problemId } = await teacher.call('POST', '/problem/manage', problemCreated, {
    json: {
      course: 'Demo',
      problemName: title,
      status: 0,
      description: { ...parts, sampleInput: [], sampleOutput: [] },
      testCase: [{ caseCount: 1, taskScore: 100, memoryLimit: 65_536, timeLimit: 1_000 }],
    },
  })
  const pages = [`${COURSE}/announcements/${annId}`, `${COURSE}/problem/${problemId}`]
  return {
    problemId,
    shown: [...pages, `/announcements/${system.annId}`, `${COURSE}/homeworks`],
    edited: [...pages, `${COURSE}/homeworks/${id}`].map((page) => `${page}/edit`),
  }
}

/**
 * Makes everybody of the demo course write texts that attack their readers.
 * @param url the API's address for this test  @param api its address for browsers
 */
export async function plantHostileTexts(url: string, api: string): Promise<HostileJudge> {
  const student = await clientOf(url, 'student')
  const ta = await clientOf(url, 'ta')
  const teacher = await clientOf(url, 'teacher')
  const foreign = await startForeignHost()
  const { submissionId } = await student.call('POST', '/submission', submissionCreated, {
    json: { problemId: 1, languageType: 2, code: 'print(1)\n' },
  })
  const calls = [`/api/submission/${submissionId}/rejudge`, '/api/auth/session']
  const lines = [
    `![a cat](${foreign.image})`,
    ...calls.flatMap((path) => waysTo(path, api)).map((way) => `![call](${way}) [call](${way})`),
  ]
  const json = { markdown: linesWithin(lines, 4_000) }
  const written = await writeAsStaff(teacher, await clientOf(url, 'admin'), json.markdown)
  const asked = `/problem/${written.problemId}/questions`
  const { questionId } = await student.call('POST', asked, questionCreated, { json })
  await teacher.call('POST', `/question/${questionId}/messages`, anything, { json })
  const comment = { json: { ...json, line: 1 } }
  await ta.call('POST', `/submission/${submissionId}/questions`, anything, comment)
  const replies = [linesWithin(lines, 1_000)]
  await ta.call('PUT', '/saved-replies', anything, { json: { replies } })
  const bio = linesWithin(lines.slice(1), 256)
  await ta.call('POST', '/profile', anything, { json: { displayedName: 'Assistant', bio } })
  const question = `${COURSE}/question/${questionId}`
  return {
    submissionId,
    shown: [...written.shown, `${COURSE}/submission/${submissionId}`, question],
    edited: written.edited,
    question,
    foreignImage: foreign.image,
    foreignRequests: foreign.requests,
  }
}
