import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '#contract/problems'
import { FallbackBoundary } from '../../components/feedback/fallback-boundary.tsx'
import { FileNotice } from '../../components/forms/file-notice.tsx'
import { WhatCounts } from '../../components/homeworks/what-counts.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { useErrorText } from '../../lib/api/error-text.ts'
import { CodeField } from './code-field.tsx'
import { DraftNotice } from './draft-notice.tsx'
import { EditorHelp } from './editor-help.tsx'
import { HandInBar } from './hand-in-bar.tsx'
import { SendingNotice } from './sending-notice.tsx'
import type { SubmitRefusal } from './source.ts'
import { SubmitBar } from './submit-bar.tsx'
import { failureKind } from './submit-failure.ts'
import classes from './submit-page.module.css'
import { useFileDrop } from '../../lib/files/use-file-drop.ts'
import { useHandIn } from './use-hand-in.ts'

const RunPanel = lazy(async () => ({ default: (await import('./run-panel.tsx')).RunPanel }))

/** Why the code was not submitted, in words. */
function useFailureText(): (refusal: SubmitRefusal | null, error: unknown) => string | null {
  const { t } = useTranslation()
  const errorText = useErrorText()
  return function failureText(refusal, error) {
    if (refusal !== null) return t(`submit.${refusal}`)
    const kind = failureKind(error)
    if (kind === null) return null
    return kind === 'reason' ? errorText(error) : `${t('submit.failed')} ${t('submit.kept')}`
  }
}

/** Language, buttons, code and results. The code is kept as a draft. */
export function SubmitForm({ problem, username }: { problem: Problem; username: string }) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const handIn = useHandIn(problem, username)
  const { program, submission, setOwnInputs, sampleRun } = handIn
  const drop = useFileDrop((file) => void program.open(file))
  const [isHelpOpen, setIsHelpOpen] = useState(false)

  return (
    <div {...drop.handlers} className={classes.form} data-dropping={drop.isOver || undefined}>
      <SubmitBar
        problem={problem}
        language={program.language}
        onChoose={program.choose}
        onFile={(file) => void program.open(file)}
        isHelpOpen={isHelpOpen}
        onHelp={() => setIsHelpOpen(!isHelpOpen)}
      />
      <div className={classes.notices}>
        <EditorHelp isOpen={isHelpOpen} language={program.language} />
        <DraftNotice program={program} />
        <FileNotice file={program.file} />
        <FormError>{failureText(program.refusal, submission.error)}</FormError>
        <SendingNotice {...handIn.sending} />
      </div>
      <div className={classes.editor}>
        <CodeField
          code={program.code}
          language={program.language}
          label={t('submit.code')}
          describedBy="editor-keys"
          onTyped={handIn.noteTyped}
          onSubmit={handIn.send}
        />
      </div>
      <HandInBar {...handIn} note={<WhatCounts homeworks={problem.homeworks} />} />
      {handIn.canRun ? (
        <FallbackBoundary fallback={<p className={classes.hint}>{t('common.wrong')}</p>}>
          <RunPanel
            problem={problem}
            username={username}
            onInputs={setOwnInputs}
            sampleRun={sampleRun}
            onLine={program.code.goTo}
          />
        </FallbackBoundary>
      ) : null}
    </div>
  )
}
