import { Button, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './submit-page.module.css'
import type { HandIn } from './use-hand-in.ts'

interface HandInBarProps extends HandIn {
  /** What a submission counts now. */
  note: ReactNode
}

/** The buttons that submit and run, the warning before submitting, and what a submission counts. */
export function HandInBar(props: HandInBarProps) {
  const { submission, sampleRun, warns, canRun, send, run, note } = props
  const { t } = useTranslation()
  const { failed, sampleCount, isStarting } = sampleRun
  return (
    <>
      <div role="alert" className={classes.warning}>
        {warns ? (
          <Text fz="0.9375rem" c="var(--app-brass)">
            {t('run.warning', { failed, count: sampleCount })}
          </Text>
        ) : null}
      </div>
      <div className={classes.actions}>
        {canRun ? null : (
          <Text fz="0.8125rem" c="dimmed">
            {t('run.interactive')}
          </Text>
        )}
        <div className={classes.buttons}>
          {canRun ? (
            <Button
              variant="default"
              onClick={run}
              loading={isStarting}
              aria-keyshortcuts="Control+' Meta+'"
            >
              {sampleCount > 0 ? t('run.button') : t('run.buttonOwn')}
            </Button>
          ) : null}
          <Button
            onClick={send}
            loading={submission.isPending}
            leftSection={<IconSend size={16} aria-hidden="true" />}
          >
            {warns ? t('run.submitAnyway') : t('submit.button')}
          </Button>
        </div>
        <div className={classes.counts}>{note}</div>
      </div>
    </>
  )
}
