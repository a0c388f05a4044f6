/** Statistics of a problem, computed from each student's results. */
import type { UserInfo } from '#contract/fields'
import type { LanguageCode } from '#contract/languages/codes'
import type { ProblemStats, RankedSubmission } from '#contract/problems/stats'
import { STATUS } from '#contract/verdicts'

/** Students in each ranking of a problem. */
export const RANKED = 10

/** One student's results. The columns of a submission are null when none was accepted. */
interface StudentResult {
  user: UserInfo
  bestScore: number | null
  /** How often each status occurs, by code. */
  statusCounts: number[]
  fastestId: string | null
  fastestRunTimeMs: number | null
  fastestMemoryKb: number | null
  fastestLanguage: LanguageCode | null
  fastestAt: number | null
  leanestId: string | null
  leanestRunTimeMs: number | null
  leanestMemoryKb: number | null
  leanestLanguage: LanguageCode | null
  leanestAt: number | null
}

/** An accepted submission in a ranking; empty when there is none. */
function toRanked(
  user: UserInfo,
  submissionId: string | null,
  runTimeMs: number | null,
  memoryKb: number | null,
  languageType: LanguageCode | null,
  timestamp: number | null,
): RankedSubmission[] {
  if (submissionId === null || runTimeMs === null || memoryKb === null) return []
  if (languageType === null || timestamp === null) return []
  return [
    { submissionId, user, runTime: runTimeMs, memoryUsage: memoryKb, languageType, timestamp },
  ]
}

/** The best ten by a measure; equal ones by time. */
function topBy(
  measure: 'runTime' | 'memoryUsage',
  submissions: RankedSubmission[],
): RankedSubmission[] {
  return submissions
    .toSorted(
      (left, right) =>
        left[measure] - right[measure] || (left.submissionId < right.submissionId ? -1 : 1),
    )
    .slice(0, RANKED)
}

/** Mean and population standard deviation; 0 without values. */
export function meanAndDeviation(values: number[]): { mean: number; deviation: number } {
  if (values.length === 0) return { mean: 0, deviation: 0 }
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return { mean, deviation: Math.sqrt(variance) }
}

/**
 * The statistics of a problem.
 * @param students number of students in the course
 * @param rows one per student who handed in anything
 */
export function toProblemStats(students: number, rows: StudentResult[]): ProblemStats {
  const scores = rows.flatMap((row) => row.bestScore ?? []).toSorted((left, right) => left - right)
  const { mean, deviation } = meanAndDeviation(scores)
  const accepted = rows.filter((row) => (row.statusCounts[STATUS.AC] ?? 0) > 0)
  const statuses = Array.from({ length: 8 }, (_, status) => [
    String(status),
    rows.reduce((sum, row) => sum + (row.statusCounts[status] ?? 0), 0),
  ])
  return {
    acUserRatio: [accepted.length, students],
    triedUserCount: rows.length,
    average: mean,
    std: deviation,
    scoreDistribution: scores,
    statusCount: Object.fromEntries(statuses),
    top10RunTime: topBy(
      'runTime',
      rows.flatMap((row) =>
        toRanked(
          row.user,
          row.fastestId,
          row.fastestRunTimeMs,
          row.fastestMemoryKb,
          row.fastestLanguage,
          row.fastestAt,
        ),
      ),
    ),
    top10MemoryUsage: topBy(
      'memoryUsage',
      rows.flatMap((row) =>
        toRanked(
          row.user,
          row.leanestId,
          row.leanestRunTimeMs,
          row.leanestMemoryKb,
          row.leanestLanguage,
          row.leanestAt,
        ),
      ),
    ),
  }
}
