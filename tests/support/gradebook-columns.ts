/** The columns of the demo course's gradebook. */
import * as z from 'zod'
import { gradebookColumns } from '#contract/gradebook'
import type { ApiClient } from '../../scripts/api-client.ts'

const ADDRESS = '/course/Demo/gradebook/columns'

export const readColumns = (api: ApiClient) => api.call('GET', ADDRESS, gradebookColumns)

/** Makes exactly these manual columns, without groups. */
export async function setColumns(
  teacher: ApiClient,
  manual: readonly { name: string; max: number }[],
): Promise<void> {
  const { columns } = await readColumns(teacher)
  const homeworks = columns.filter(({ kind }) => kind === 'homework')
  const old = columns.filter(({ kind }) => kind === 'manual')
  const json = {
    groups: [],
    columns: [
      ...homeworks.map(({ id }) => ({ id, group: null, weight: null })),
      ...manual.map((each) => ({
        ...each,
        id: old.find(({ name }) => name === each.name)?.id ?? null,
        group: null,
        weight: null,
      })),
    ],
    deleted: old
      .filter(({ name }) => manual.every((each) => each.name !== name))
      .map(({ id }) => id),
    total: { outOf: null, decimals: 2, forAssistants: true },
  }
  await teacher.call('PUT', ADDRESS, z.unknown(), { json })
}
