/** Rows of test-data versions and of uploads under way. */
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { insertAudit } from '../../db/audit.ts'
import type { Db } from '../../db/client.ts'
import { problems, testDataUploads, testDataVersions } from '../../db/schema.ts'
import type { Change } from '../../http/change.ts'

export type UploadRow = typeof testDataUploads.$inferSelect

/** Notes an upload that has begun. */
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

/** Forgets an upload. */
export async function deleteUpload(db: Db, uploadId: string): Promise<void> {
  await db.delete(testDataUploads).where(eq(testDataUploads.id, uploadId))
}

/** Uploads begun before a time (epoch seconds); the sweeper ends them. */
export async function listOldUploads(db: Db, before: number): Promise<UploadRow[]> {
  return db.select().from(testDataUploads).where(lt(testDataUploads.createdAt, before)).limit(20)
}

/** A new version of a problem's test data. */
export interface NewTestData {
  id: string
  problemId: number
  objectKey: string
  sizeBytes: number
  caseCounts: number[]
}

/**
 * Puts new test data in force, all in one transaction: from here on every claim uses them,
 * while judgements under way keep the version they began with.
 * @param uploadId the upload they came by, whose row goes
 */
export async function insertTestData(
  db: Db,
  data: NewTestData,
  uploadId: string | null,
  { actor, ip, now }: Change,
): Promise<void> {
  await db.batch([
    db.insert(testDataVersions).values({ ...data, uploaderId: actor.id, createdAt: now }),
    db
      .update(problems)
      .set({ testDataVersion: data.id, updatedAt: now })
      .where(eq(problems.id, data.problemId)),
    db.delete(testDataUploads).where(eq(testDataUploads.id, uploadId ?? '')),
    insertAudit(db, {
      actorId: actor.id,
      action: 'problem.test_data',
      subject: String(data.problemId),
      detail: { version: data.id, sizeBytes: data.sizeBytes },
      ip,
      now,
    }),
  ])
}

/** The test data in force of a problem. */
export async function getCurrentTestData(db: Db, problemId: number) {
  return db
    .select({ id: testDataVersions.id, objectKey: testDataVersions.objectKey })
    .from(problems)
    .innerJoin(testDataVersions, eq(testDataVersions.id, problems.testDataVersion))
    .where(eq(problems.id, problemId))
    .get()
}

/** Any version by its id. */
export async function getTestData(db: Db, version: string) {
  return db.select().from(testDataVersions).where(eq(testDataVersions.id, version)).get()
}

/** A version whose bytes have not been hashed yet, if there is one. */
export async function findUnhashed(db: Db) {
  return db
    .select({ id: testDataVersions.id, objectKey: testDataVersions.objectKey })
    .from(testDataVersions)
    .where(isNull(testDataVersions.sha256))
    .orderBy(sql`id`)
    .limit(1)
    .get()
}

/** Stores the hash of a version's bytes. */
export async function setTestDataHash(db: Db, version: string, sha256: string): Promise<void> {
  await db.update(testDataVersions).set({ sha256 }).where(eq(testDataVersions.id, version))
}
