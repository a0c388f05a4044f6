/** What students and staff read about a request for another due time. */
import type { TFunction } from 'i18next'
import type { DateRequest, Question } from '#contract/questions'
import { deadlineText } from '../homeworks/late-rule.ts'

/** What became of a request, with its time. */
export function requestStateText({ due, outcome, grantedDue }: DateRequest, t: TFunction): string {
  return t(`requests.state.${outcome ?? 'waiting'}`, { time: deadlineText(grantedDue ?? due) })
}

/** What a question is about: a problem, the homework of a request, or the column of a mark. */
export function subjectOf({ problemId, problemName, request, mark }: Question): string {
  return request?.homeworkName ?? mark?.columnName ?? `#${problemId} ${problemName}`
}
