import { Text } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FailedCase, MistakeGroup } from '#contract/mistakes'
import { STATUS } from '#contract/verdicts'
import { VerdictBadge } from '../../components/judging/verdict-badge.tsx'
import { isRefusal } from '../../lib/api/api-error.ts'
import { outputQuery } from '../../lib/queries/submissions.ts'
import { excerptOf, printedOf } from './groups.ts'
import classes from './mistakes.module.css'

/** Names a case as the page of a submission does. */
export function useCaseText(): (failed: FailedCase) => string {
  const { t } = useTranslation()
  return (failed) => t('mistakes.where', { task: failed.task, case: failed.case })
}

/** What the newest program of a group printed; read once it comes into sight. */
function PrintedOutput({ submissionId, failed }: { submissionId: string; failed: FailedCase }) {
  const { t } = useTranslation()
  const { ref, inViewport } = useInViewport<HTMLSpanElement>()
  const { data, error } = useQuery({
    ...outputQuery(submissionId, null, failed.task, failed.case),
    enabled: inViewport,
  })
  const printed = data && printedOf(data)
  return (
    <span ref={ref} className={classes.printed}>
      {printed?.kind === 'text' ? (
        <>
          {t('mistakes.printed')} <code>{printed.text}</code>
        </>
      ) : printed ? (
        t(`mistakes.printedOnly.${printed.kind}`)
      ) : isRefusal(error, 'output_not_found') ? (
        t('error.output_not_found')
      ) : error ? (
        t('mistakes.unread')
      ) : (
        '…'
      )}
    </span>
  )
}

/** What tells a group from others: its verdict, the case, and what was printed there. */
export function GroupName({ group }: { group: MistakeGroup }) {
  const { t } = useTranslation()
  const caseText = useCaseText()
  const { people, status, failed, end, compileError, examples } = group
  const example = examples[0]
  return (
    <>
      <span className={classes.head}>
        <Text span fw={600}>
          {t('mistakes.people', { count: people })}
        </Text>
        <VerdictBadge status={status} />
        {end ? <span>{t(`mistakes.end.${end}`)}</span> : null}
        {failed ? <span>{caseText(failed)}</span> : null}
      </span>
      {compileError !== null ? (
        <span className={classes.printed}>
          <code>{excerptOf(compileError)}</code>
        </span>
      ) : failed !== null && example !== undefined ? (
        <PrintedOutput submissionId={example} failed={failed} />
      ) : status === STATUS.CE ? (
        <span className={classes.printed}>{t('mistakes.noCompileError')}</span>
      ) : null}
    </>
  )
}
