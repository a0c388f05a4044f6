import { ActionIcon, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { ColouredLine } from '../../components/coloured-line.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useColouredCode } from '../../lib/use-coloured-code.ts'
import { download } from '../../lib/download.ts'
import { lineId } from './line-id.ts'
import classes from './submission-page.module.css'

/** The submitted source with line numbers, to copy and to download. */
export function SourceView({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { code } = submission
  const { editor, file } = languageOf(submission.languageType)
  const coloured = useColouredCode(code, editor)
  return (
    <>
      <div className={classes.codeHead}>
        <Title order={2}>{t('submission.source')}</Title>
        <CopyButton text={code} label={t('submission.copySource')} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('submission.downloadSource')}
          title={t('submission.downloadSource')}
          onClick={() => download(file, code, 'text/plain;charset=utf-8')}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </div>
      <div className={`app-card ${classes.codeBox}`}>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
        <pre className={classes.code} tabIndex={0}>
          {code.split('\n').map((line, index) => (
            // Lines are known by their number.
            // eslint-disable-next-line react/no-array-index-key
            <span key={index} id={lineId(index + 1)} className={classes.line}>
              <span className={classes.number} aria-hidden="true">
                {index + 1}
              </span>
              {coloured?.[index] ? <ColouredLine words={coloured[index]} /> : line}
            </span>
          ))}
        </pre>
      </div>
    </>
  )
}
