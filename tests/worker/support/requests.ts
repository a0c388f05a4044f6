/** A common beginning for tests of requests for other dates. */
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { createDatedHomework, HOUR } from './dated-homework.ts'
import { call, type Person } from './world.ts'

export const PNG = '\x89PNG\r\n\x1a\nbytes'

/** A homework that is due in an hour, and calls about requests. */
export async function createRequested() {
  const end = nowSeconds() + HOUR
  const world = await createDatedHomework({ end, close: end + HOUR })
  const due = end + 24 * HOUR
  const path = `/homework/${world.homeworkId}/requests`
  return {
    ...world,
    end,
    due,
    path,
    request: (as: Person, changes: object = {}, headers?: Record<string, string>) =>
      as.post(path, { due, markdown: 'I was ill.', ...changes }, headers),
    /** The due time of a person, as they see it. */
    dueOf: async (as: Person): Promise<number> =>
      (await as.get(`/homework/${world.homeworkId}`)).data.own.due,
    /** The numbers on the badges: in the course, in the list, on the home page. */
    badges: async (as: Person) => [
      (await as.get(`/course/${world.course}`)).data.waitingQuestions,
      (await as.get('/course')).data[0].waitingQuestions,
      (await as.get('/overview')).data.courses[0]?.openQuestions ?? null,
    ],
  }
}

/** Sends the file of a request. */
export function sendFile(as: Person, questionId: string, content = PNG, name = 'note.png') {
  const body = new FormData()
  const bytes = Uint8Array.from(content, (letter) => letter.charCodeAt(0))
  body.set('file', new File([bytes], name, { type: 'text/html' }))
  return call('POST', `/question/${questionId}/file`, { as, body })
}
