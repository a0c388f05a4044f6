import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ShownHint } from '#contract/submissions'
import { FormError } from '../../components/forms/form-error.tsx'
import { useOnline } from '../../lib/api/connection.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { hintAnswering } from './hint-answer.ts'
import classes from './submission-page.module.css'

interface HintHelpedProps {
  submissionId: string
  hint: ShownHint
}

/** Asks the submitter whether a hint helped. The pressed button is the answer, which may change. */
export function HintHelped({ submissionId, hint: { hintId, helped } }: HintHelpedProps) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const isOnline = useOnline()
  const { isPending, variables, error, mutate } = useMutation(hintAnswering(submissionId, hintId))
  const chosen = isPending ? variables : helped

  function answer(yes: boolean) {
    // The buttons stay enabled during the call, because a disabled one loses the focus.
    if (!isPending && yes !== helped) mutate(yes)
  }

  return (
    <div className="app-screen-only">
      <fieldset className={classes.helped} disabled={!isOnline || !may('submission.create')}>
        <legend>{t('hints.didHelp')}</legend>
        {[true, false].map((yes) => (
          <Button
            key={String(yes)}
            size="compact-sm"
            variant={yes === chosen ? 'filled' : 'default'}
            aria-pressed={yes === chosen}
            onClick={() => answer(yes)}
          >
            {t(yes ? 'common.yes' : 'common.no')}
          </Button>
        ))}
        <Text component="output" size="sm" c="dimmed">
          {helped === null || isPending || error !== null ? null : t('hints.thanks')}
        </Text>
      </fieldset>
      <FormError error={error} />
    </div>
  )
}
