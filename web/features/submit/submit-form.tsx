import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#contract/problems'
import { FormError } from '../../components/form-error.tsx'
import { useErrorText } from '../../lib/error-text.ts'
import { CodeField } from './code-field.tsx'
import { HowCompiled } from './how-compiled.tsx'
import type { SubmitRefusal } from './source.ts'
import { SubmitBar } from './submit-bar.tsx'
import { failureKind } from './submit-failure.ts'
import classes from './submit-page.module.css'
import { useFileDrop } from './use-file-drop.ts'
import { useProgram } from './use-program.ts'
import { useSubmission } from './use-submission.ts'

/** Why the code was not submitted, in words. */
function useFailureText(): (refusal: SubmitRefusal | null, error: unknown) => string | null {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function failureText(refusal, error) {
    if (refusal !== null) return t(`submit.${refusal}`)
    const kind = failureKind(error)
    if (kind === null) return null
    return kind === 'reason' ? errorText(error) : t('submit.failed')
  }
}

function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <output className={classes.notice}>
      {t('submit.restored')}
      <Button size="compact-xs" variant="default" onClick={onDiscard}>
        {t('submit.discard')}
      </Button>
    </output>
  )
}

/** Language, code and the submit button. The code is kept as a draft until it is submitted. */
export function SubmitForm({ problem, username }: { problem: Problem; username: string }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const program = useProgram(problem, username)
  const submission = useSubmission(problem, username, program.code)
  const drop = useFileDrop((file) => void program.open(file))

  function send() {
    const taken = program.take()
    if (taken !== null && !submission.isPending) submission.mutate(taken)
  }

  return (
    <>
      <SubmitBar
        problem={problem}
        language={program.language}
        onChoose={program.choose}
        onFile={(file) => void program.open(file)}
      />
      {program.language ? <HowCompiled language={program.language} /> : null}
      {program.isRestored ? <RestoredNotice onDiscard={program.discard} /> : null}
      <div {...drop.handlers} className={drop.isOver ? classes.dropping : undefined}>
        <CodeField
          code={program.code}
          language={program.language}
          label={t('submit.code')}
          describedBy="editor-keys"
          onTyped={program.noteTyped}
          onSubmit={send}
        />
      </div>
      <p id="editor-keys" className={classes.hint}>
        {t('submit.keys')}
      </p>
      <FormError>{failureText(program.refusal, submission.error)}</FormError>
      <div>
        <Button
          onClick={send}
          loading={submission.isPending}
          leftSection={<IconSend size={16} aria-hidden="true" />}
        >
          {t('submit.button')}
        </Button>
      </div>
    </>
  )
}
