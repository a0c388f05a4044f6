/** Requests for other dates. */
import { REQUEST_LIMITS } from '#contract/limits'
import { can } from '#contract/roles'
import { changeOf } from '../../http/change.ts'
import { AppError } from '../../http/errors.ts'
import { readKnownFile, sendFile, storeFile } from '../../http/files.ts'
import { idempotencyKeyOf } from '../../http/idempotency-key.ts'
import { tellPages } from '../../http/live.ts'
import { route } from '../../http/route.ts'
import { findHomeworkAccess } from '../homeworks/queries.ts'
import { aboutHomework, demandAsking, questionInPath } from './guard.ts'
import {
  attachFile,
  decideRequest,
  findRequestFile,
  insertRequest,
  requestKeyOf,
} from './request-queries.ts'
import { tellOtherSide } from './tell.ts'

export const requests = [
  route('POST /homework/:id/requests', aboutHomework, async (c, { homework, body }) => {
    // Staff have no dates of their own.
    if (!can(homework.standing, 'scoreboard.appear')) throw new AppError('forbidden')
    const { db, user } = c.var
    const key = await idempotencyKeyOf(c)
    const questionId = await insertRequest(db, homework, body, key, changeOf(c))
    const { courseId } = homework
    const { teacherOnly } = body
    tellOtherSide(c, { courseId, studentId: user.id, teacherOnly }, questionId)
    return { questionId }
  }),
  route('POST /question/:id/decision', questionInPath, async (c, { question, body }) => {
    const { db, user } = c.var
    const { homeworkId, studentId, questionId } = question
    if (homeworkId === null) throw new AppError('not_a_request')
    const homework = await findHomeworkAccess(db, user, homeworkId)
    if (!homework) throw new AppError('question_not_found')
    const changed = await decideRequest(db, question, homework, body.due, changeOf(c))
    tellOtherSide(c, question, questionId)
    if (body.due !== null) tellPages(c, studentId, { kind: 'homework', homeworkId })
    return changed
  }),
  route('POST /question/:id/file', questionInPath, async (c, { question }) => {
    if (question.homeworkId === null) throw new AppError('not_a_request')
    if (question.studentId !== c.var.user.id) throw new AppError('forbidden')
    demandAsking(question.standing)
    const { sent, file } = await readKnownFile(c, () => REQUEST_LIMITS.fileBytes)
    await storeFile(c.env.BUCKET, requestKeyOf(file.fileId), sent, () =>
      attachFile(c.var.db, question, file),
    )
    tellOtherSide(c, question, question.questionId)
  }),
  route('GET /question/:id/file', questionInPath, async (c, { question }) => {
    const found = await findRequestFile(c.var.db, question.questionId)
    if (!found) throw new AppError('file_not_found')
    return sendFile(c, found.key, found.file)
  }),
]
