/** The term's gradebook: homeworks and an oral exam with their weights, a mark that an assistant set, and a student's question about another one. */
import * as z from 'zod'
import {
  gradebookColumns,
  marksEdited,
  type gradebookForm,
  type GradebookColumn,
  type markEdits,
  type newRegrade,
} from '#contract/gradebook'
import { questionCreated } from '#contract/questions'
import { createApiClient, type ApiClient } from '../../api-client.ts'
import { PlainError } from '../../plain-error.ts'
import { DEMO_PASSWORD } from '../accounts.ts'
import { TERM_USERNAMES } from './plan.ts'

const COLUMNS = '/course/Demo/gradebook/columns'
const ORAL_EXAM = { name: 'Oral exam', max: 20 }

/** The student whose marks the demo explains. */
const STUDENT = 'student'

/** Half points from 8 to 20. */
const oralPoints = (index: number) => 8 + ((index * 7) % 25) / 2

function byName(columns: readonly GradebookColumn[], name: string): GradebookColumn {
  const found = columns.find((column) => column.name === name)
  if (!found) throw new PlainError(`The demo course has no column ${name}.`)
  return found
}

async function as(api: ApiClient, username: string): Promise<ApiClient> {
  const client = createApiClient(api.url)
  await client.login(username, DEMO_PASSWORD)
  return client
}

/** Homeworks count 60 without the worst one, the oral exam counts 40. */
async function makeColumns(teacher: ApiClient, columns: readonly GradebookColumn[]) {
  const group = { dropLowest: 0, capPercent: 100, extra: false }
  const form: z.input<typeof gradebookForm> = {
    groups: [
      { ...group, id: null, name: 'Homeworks', weight: 60, dropLowest: 1 },
      { ...group, id: null, name: 'Exams', weight: 40 },
    ],
    columns: [
      ...columns
        .filter(({ kind }) => kind === 'homework')
        .map(({ id }) => ({ id, group: 0, weight: null })),
      { ...ORAL_EXAM, id: null, group: 1, weight: null },
    ],
    total: { outOf: 100, decimals: 1, forAssistants: false },
  }
  await teacher.call('PUT', COLUMNS, z.null(), { json: form })
}

async function setMarks(api: ApiClient, edits: z.input<typeof markEdits>) {
  await api.call('PATCH', '/course/Demo/gradebook', marksEdited, { json: edits })
}

/**
 * Makes the gradebook, unless the course has groups of columns. Needs the term with its submissions.
 * @param teacher the API, signed in as the course's teacher
 */
export async function seedGradebook(teacher: ApiClient): Promise<void> {
  const before = await teacher.call('GET', COLUMNS, gradebookColumns)
  if (before.groups.length > 0) return
  await makeColumns(teacher, before.columns)
  const { columns } = await teacher.call('GET', COLUMNS, gradebookColumns)
  const oral = byName(columns, ORAL_EXAM.name).id
  await setMarks(teacher, {
    edits: TERM_USERNAMES.map((username, index) => ({
      username,
      columnId: oral,
      points: oralPoints(index),
    })),
  })
  for (const { id } of columns.filter(({ kind }) => kind !== 'homework'))
    await teacher.call('PUT', `/course/Demo/gradebook/${id}/shown`, z.null(), {
      json: { shown: 'yes' },
    })
  await setMarks(await as(teacher, 'ta'), {
    edits: [{ username: STUDENT, columnId: byName(columns, 'Text').id, points: 150 }],
    reason: 'The idea is right; only the line ends are wrong.',
  })
  const question: z.input<typeof newRegrade> = {
    markdown: 'Problem 2: I think that my loop ends in time. Could you look at it again?',
  }
  const student = await as(teacher, STUDENT)
  const numbers = byName(columns, 'Numbers').id
  await student.call('POST', `/course/Demo/gradebook/${numbers}/questions`, questionCreated, {
    json: question,
  })
}
