import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { LinkButton } from '../../components/page/link-button.tsx'
import { useCourse } from '../../lib/queries/course.ts'
import { noteSubmitted, replaceDraft } from '../../lib/drafts/draft.ts'
import { useSession } from '../../lib/session/session.ts'
import { STORAGE_KEYS, writeStored } from '../../lib/storage.ts'
import { paths } from '../../paths.ts'

interface EditAgainProps {
  submission: SubmissionDetail
  /** `filled`: it is the page's main action. */
  variant: 'default' | 'filled'
}

/** Opens the code of an own submission in the editor. If the draft differs from this code, the draft stays as another version. */
export function EditAgain({ submission, variant }: EditAgainProps) {
  const { t } = useTranslation()
  const { user } = useSession()
  const { may } = useCourse()
  const { course, problemId, code } = submission
  if (user === null || user.username !== submission.user.username || !may('submission.create'))
    return null
  const owner = { username: user.username, problemId }

  function takeCode() {
    const language = languageOf(submission.languageType)
    writeStored(STORAGE_KEYS.lastUsedLanguage, language.id)
    replaceDraft(owner, language, code)
    noteSubmitted(owner, language, code)
  }

  return (
    <LinkButton
      to={paths.submit(course, problemId)}
      Icon={IconPencil}
      label={t('submission.editAgain')}
      variant={variant}
      onClick={takeCode}
    />
  )
}
