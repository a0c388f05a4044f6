import { Button, NativeSelect } from '@mantine/core'
import { IconFileUpload, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '#contract/languages'
import { QUOTA_UNLIMITED, SOURCE_LIMIT_BYTES } from '#contract/limits'
import type { Problem } from '#contract/problems'
import { FilePickButton } from '../../components/file-pick-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { ApiError } from '../../lib/api-error.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useNavigateFromHere } from '../../lib/navigate-from-here.ts'
import { STORAGE_KEYS, readStored, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'
import { submitCode } from './api.ts'
import { CodeField } from './code-field.tsx'
import { HowCompiled } from './how-compiled.tsx'
import { keepDraft, readDraft } from './draft.ts'
import { newIdempotencyKey } from './idempotency-key.ts'
import { allowedLanguages, languageOfFile, preselect, refusalOf } from './source.ts'
import classes from './submit-page.module.css'
import { useFileDrop } from './use-file-drop.ts'
import { useWrittenCode } from './written-code.ts'

/** What the file dialog offers. */
const SOURCE_FILES = [
  ...LANGUAGES.flatMap(({ fileEndings }) => fileEndings.map((ending) => `.${ending}`)),
  'text/plain',
].join(',')

interface SubmitFormProps {
  problem: Problem
  username: string
}

/** Language, code and the button; what is typed is kept as a draft until it is submitted. */
export function SubmitForm({ problem, username }: SubmitFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigateFromHere()
  const client = useQueryClient()
  const errorText = useErrorText()
  const { problemId, allowedLanguage } = problem

  function draftOf(chosen: Language | null): string | null {
    return readDraft({ username, problemId, language: chosen?.id ?? null })
  }

  function keep(chosen: Language | null, text: string): void {
    keepDraft({ username, problemId, language: chosen?.id ?? null }, text)
    // What was typed before a language was chosen belongs to that language now.
    if (chosen !== null) keepDraft({ username, problemId, language: null }, '')
  }

  const [language, setLanguage] = useState(() =>
    preselect(allowedLanguage, readStored(STORAGE_KEYS.lastUsedLanguage)),
  )
  const [draft] = useState(() => draftOf(language) ?? draftOf(null))
  const code = useWrittenCode(draft ?? '', (text) => keep(language, text))
  const [restored, setRestored] = useState(draft !== null)
  const [refusal, setRefusal] = useState<ReturnType<typeof refusalOf>>(null)
  // The same key for every try of the same code, so that a lost answer makes no second submission.
  const attempt = useRef<{ of: string; key: string }>(null)

  function choose(next: Language | null) {
    code.flush()
    setLanguage(next)
    setRefusal(null)
    if (next === null) return
    writeStored(STORAGE_KEYS.lastUsedLanguage, next.id)
    const kept = draftOf(next)
    const written = code.read()
    // What was typed for another language stays unless this one has a draft of its own.
    if (kept !== null && kept !== written) {
      code.put(kept)
      setRestored(true)
    } else keep(next, written)
  }

  function noteTyped(read: () => string) {
    code.typed(read)
    setRefusal(null)
    setRestored(false)
  }

  function put(chosen: Language | null, text: string) {
    code.put(text)
    setRefusal(null)
    setRestored(false)
    keep(chosen, text)
  }

  async function openFile(file: File) {
    // Not even read: it could be anything, and what is in the editor stays.
    if (file.size > SOURCE_LIMIT_BYTES) return setRefusal('tooLarge')
    const text = await file.text()
    code.flush()
    const told = languageOfFile(file.name, allowedLanguage) ?? language
    setLanguage(told)
    put(told, text)
  }

  const submit = useMutation({
    mutationFn: ({ chosen, text }: { chosen: Language; text: string }) => {
      const of = `${chosen.code}\n${text}`
      if (attempt.current?.of !== of) attempt.current = { of, key: newIdempotencyKey() }
      return submitCode({ problemId, languageType: chosen.code, code: text }, attempt.current.key)
    },
    onSuccess: async ({ submissionId }, { chosen }) => {
      // Typed meanwhile or not: it has been handed in.
      code.flush()
      keep(chosen, '')
      // Not waited for: on a slow connection the submission's page comes first.
      void client.invalidateQueries({ queryKey: ['submissions'] })
      void client.invalidateQueries({ queryKey: ['problem', problemId] })
      await navigate(paths.submission(problem.course, submissionId))
    },
  })

  function send() {
    code.flush()
    const text = code.read()
    const found = refusalOf(text, language)
    setRefusal(found)
    if (found === null && language !== null && !submit.isPending)
      submit.mutate({ chosen: language, text })
  }

  function failure(): string | null {
    if (refusal !== null) return t(`submit.${refusal}`)
    if (submit.error === null) return null
    if (!(submit.error instanceof ApiError)) return t('submit.failed')
    // The dialog that asks to sign in again says it, and is gone after that.
    if (submit.error.status === 401) return null
    return submit.error.status in EXPLAINED ? errorText(submit.error) : t('submit.failed')
  }

  const drop = useFileDrop((file) => void openFile(file))
  const left = Math.max(0, problem.quota - problem.quotaUsed)
  return (
    <>
      <div className={classes.bar}>
        <NativeSelect
          label={t('submit.language')}
          value={language === null ? '' : String(language.code)}
          onChange={(event) =>
            choose(
              allowedLanguages(allowedLanguage).find(
                ({ code: value }) => String(value) === event.currentTarget.value,
              ) ?? null,
            )
          }
          data={[
            { value: '', label: t('submit.choose') },
            ...allowedLanguages(allowedLanguage).map(({ code: value, label }) => ({
              value: String(value),
              label,
            })),
          ]}
        />
        <FilePickButton
          onPick={(file) => void openFile(file)}
          accept={SOURCE_FILES}
          icon={<IconFileUpload size={16} aria-hidden="true" />}
        >
          {t('submit.file')}
        </FilePickButton>
        <span className={classes.quota}>
          {problem.quota === QUOTA_UNLIMITED
            ? t('submit.unlimited')
            : t('submit.quotaLeft', { count: left, quota: problem.quota })}
        </span>
      </div>
      {language ? <HowCompiled language={language} /> : null}
      {restored ? (
        <output className={classes.notice}>
          {t('submit.restored')}
          <Button size="compact-xs" variant="default" onClick={() => put(language, '')}>
            {t('submit.discard')}
          </Button>
        </output>
      ) : null}
      <div {...drop.handlers} className={drop.isOver ? classes.dropping : undefined}>
        <CodeField
          code={code}
          language={language}
          label={t('submit.code')}
          describedBy="editor-keys"
          onTyped={noteTyped}
          onSubmit={send}
        />
      </div>
      <p id="editor-keys" className={classes.hint}>
        {t('submit.keys')}
      </p>
      <FormError>{failure()}</FormError>
      <div>
        <Button
          onClick={send}
          loading={submit.isPending}
          leftSection={<IconSend size={16} aria-hidden="true" />}
        >
          {t('submit.button')}
        </Button>
      </div>
    </>
  )
}

/** Statuses whose refusal the API explains better than the generic message. */
const EXPLAINED: Record<number, true> = {
  400: true,
  403: true,
  409: true,
  413: true,
  429: true,
}
