/** Packs as the sweeper does, and finds a packed submission. */
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { openDb } from '../../../worker/db/client.ts'
import { PACKING } from '../../../worker/features/storage/pack.ts'
import { packOldSubmissions } from '../../../worker/features/storage/pack-old.ts'
import { packOutputs } from '../../../worker/features/storage/pack-outputs.ts'
import { nowSeconds } from '../../../worker/lib/clock.ts'
import { firstRow } from './sql.ts'
import { workerEnv } from './step-queue.ts'

/** Packs submissions half a year later. */
export async function packLater(): Promise<number> {
  const later = nowSeconds() + PACKING.afterDays * 86_400 + PACKING.everySeconds
  await packOldSubmissions(workerEnv, openDb(env.DB), later)
  return later
}

/** The object that holds a submission's code; null while the database has it. */
export async function packOf(id: string): Promise<string | null> {
  const row = await firstRow<{ key: string | null }>`select object_key as key
    from submissions left join packs on packs.id = pack_id where submissions.id = ${id}`
  return row?.key ?? null
}

/** Packs outputs after their first week. */
export async function packOutputsLater(): Promise<number> {
  const later = nowSeconds() + PACKING.outputsAfterDays * 86_400 + PACKING.everySeconds
  await packOutputs(workerEnv, openDb(env.DB), later)
  return later
}

/** The object that holds a submission's outputs. */
export async function outputsOf(id: string): Promise<string | null> {
  const row = await firstRow<{ key: string | null }>`
    select coalesce(outputs_key, packs.object_key) as key from submissions
    join judgements on judgements.id = submissions.judgement_id
    left join packs on packs.id = outputs_pack_id where submissions.id = ${id}`
  return row?.key ?? null
}

/** Packs, and runs something once while the first pack is written. */
export async function packWhile(
  pack: () => Promise<unknown>,
  happens: () => Promise<unknown>,
): Promise<void> {
  const put = vi
    .spyOn(env.BUCKET, 'put')
    .mockImplementationOnce(async (key, value, options?: R2PutOptions) => {
      await happens()
      return env.BUCKET.put(key, value, options)
    })
  await pack()
  expect(put).toHaveBeenCalled()
  put.mockRestore()
}
