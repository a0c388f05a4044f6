/** Rows of test-data versions and of uploads under way. */
import { and, desc, eq, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import { rawQuery, type Db } from '../../db/client.ts'
import { demand } from '../../db/demand.ts'
import { demandCurrent } from '../../db/edits.ts'
import { SWEEP } from '../../db/retention.ts'
import { problems, subtasks, testDataUploads, testDataVersions } from '../../db/schema.ts'
import { databaseNowMs } from '../../db/statements.ts'
import type { Change } from '../../http/change.ts'

export type UploadRow = typeof testDataUploads.$inferSelect

/** Stores an upload that has begun. */
export async function insertUpload(db: Db, row: UploadRow): Promise<void> {
  await db.insert(testDataUploads).values(row)
}

/** An upload under way for a problem. */
export async function getUpload(
  db: Db,
  problemId: number,
  uploadId: string,
): Promise<UploadRow | undefined> {
  return db
    .select()
    .from(testDataUploads)
    .where(and(eq(testDataUploads.id, uploadId), eq(testDataUploads.problemId, problemId)))
    .get()
}

/**
 * Deletes an upload.
 * @returns false when another call has ended the upload; that call cleans up
 */
export async function deleteUpload(db: Db, uploadId: string): Promise<boolean> {
  const deleted = await db
    .delete(testDataUploads)
    .where(eq(testDataUploads.id, uploadId))
    .returning({ id: testDataUploads.id })
  return deleted.length > 0
}

/** Uploads that began before a time (epoch seconds); the sweeper ends these uploads. */
export async function listOldUploads(db: Db, before: number): Promise<UploadRow[]> {
  return db.select().from(testDataUploads).where(lt(testDataUploads.createdAt, before)).limit(20)
}

/** A new version of a problem's test data. */
interface NewTestData {
  id: string
  problemId: number
  objectKey: string
  sizeBytes: number
  caseCounts: number[]
}

/** The origin of test data: an upload in parts, or one request that may name the problem's version. */
export type TestDataOrigin = { uploadId: string } | { basedOn: number | null }

/** The condition that case counts are those of the problem's present subtasks. */
function fitsSubtasks({ problemId, caseCounts }: NewTestData): SQL {
  return sql`(select json_group_array(${subtasks.caseCount}) from (select ${subtasks.caseCount} from ${subtasks}
    where ${subtasks.problemId} = ${problemId} order by ${subtasks.position}) ${subtasks}) = ${JSON.stringify(caseCounts)}`
}

/**
 * Makes new test data active, in one transaction. Every later claim uses them; judgements under way keep their version. If the
 * subtasks have changed since the zip was checked, the zip is only stored. It becomes active once the subtasks fit it again.
 * @param by the upload, whose row is deleted; or, for a zip in one request, the version of the problem it was made for
 * @throws Refusal when another call ended the upload, or the version is stale
 */
export async function insertTestData(
  db: Db,
  data: NewTestData,
  by: TestDataOrigin,
  change: Change,
): Promise<void> {
  const { actor, now } = change
  const uploadId = 'uploadId' in by ? by.uploadId : ''
  await db.batch([
    'uploadId' in by
      ? demand(
          db,
          'upload_not_found',
          sql`exists (select 1 from ${testDataUploads} where ${testDataUploads.id} = ${uploadId})`,
        )
      : demandCurrent(db, problems, data.problemId, by.basedOn),
    db.insert(testDataVersions).values({ ...data, uploaderId: actor.id, createdAt: now }),
    db
      .update(problems)
      .set({
        testDataVersion: data.id,
        judgingChangedAtMs: databaseNowMs,
        version: sql`${problems.version} + 1`,
        updatedAt: now,
      })
      .where(and(eq(problems.id, data.problemId), fitsSubtasks(data))),
    db
      .update(subtasks)
      .set({ isSample: true, becomesSample: false })
      .where(
        and(
          eq(subtasks.problemId, data.problemId),
          subtasks.becomesSample,
          sql`exists (select 1 from ${problems} where ${problems.id} = ${data.problemId} and ${problems.testDataVersion} = ${data.id})`,
        ),
      ),
    db.delete(testDataUploads).where(eq(testDataUploads.id, uploadId)),
    insertAudit(db, change, {
      action: 'problem.test_data',
      subject: String(data.problemId),
      detail: { version: data.id, sizeBytes: data.sizeBytes },
    }),
  ])
}

/** The version of a problem's test data that a completed upload has made. */
export async function findUploaded(db: Db, problemId: number, objectKey: string) {
  return db
    .select({ id: testDataVersions.id, caseCounts: testDataVersions.caseCounts })
    .from(testDataVersions)
    .where(
      and(eq(testDataVersions.objectKey, objectKey), eq(testDataVersions.problemId, problemId)),
    )
    .get()
}

/** The active test data of a problem. */
export async function getCurrentTestData(db: Db, problemId: number) {
  return db
    .select({ id: testDataVersions.id, objectKey: testDataVersions.objectKey })
    .from(problems)
    .innerJoin(testDataVersions, eq(testDataVersions.id, problems.testDataVersion))
    .where(eq(problems.id, problemId))
    .get()
}

/** Versions without a hash, newest first. */
export async function listUnhashed(db: Db) {
  return db
    .select({ id: testDataVersions.id, objectKey: testDataVersions.objectKey })
    .from(testDataVersions)
    .where(isNull(testDataVersions.sha256))
    .orderBy(desc(testDataVersions.id))
    .limit(SWEEP.hashCandidates)
}

/** Of these keys of zips, the keys that a version or an upload under way names. */
export async function listNamedTestData(db: Db, keys: string[]): Promise<string[]> {
  const rows = await rawQuery<{ key: string }>(
    db,
    sql`select k.value as key from json_each(${JSON.stringify(keys)}) k
      where exists (select 1 from ${testDataVersions} where ${testDataVersions.objectKey} = k.value)
        or k.value in (select ${testDataUploads.objectKey} from ${testDataUploads})`,
  )
  return rows.map((row) => row.key)
}

/** Stores the hash of a version's bytes. */
export async function setTestDataHash(db: Db, version: string, sha256: string): Promise<void> {
  await db.update(testDataVersions).set({ sha256 }).where(eq(testDataVersions.id, version))
}
