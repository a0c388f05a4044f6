import { ActionIcon, Group, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { languageOf } from '#contract/languages'
import type { SubmissionDetail } from '#contract/submissions'
import { ColouredLine } from '../../components/code/coloured-block.tsx'
import { CopyButton } from '../../components/page/copy-button.tsx'
import { CodeQuestions } from '../../components/questions/code-questions.tsx'
import { download } from '../../lib/files/download.ts'
import { useColouredCode } from '../../lib/text/use-coloured-code.ts'
import { lineId, lineOfHash } from './line-id.ts'
import classes from './submission-page.module.css'

/** The line in the address's hash, scrolled to and focused; null if none. */
function useTargetLine(): number | null {
  const location = useLocation()
  useEffect(() => {
    const target = lineOfHash(location.hash)
    const line = target === null ? null : document.getElementById(lineId(target))
    line?.scrollIntoView({ block: 'center' })
    line?.focus({ preventScroll: true })
    // Each click makes a new location, so that the same link works twice.
  }, [location])
  return lineOfHash(location.hash)
}

/** The submitted source with line numbers and buttons to copy and download it. */
export function SourceView({ submission }: { submission: SubmissionDetail }) {
  const { t } = useTranslation()
  const { code } = submission
  const { editor, file } = languageOf(submission.languageType)
  const coloured = useColouredCode(code, editor)
  const lines = useMemo(() => code.split('\n'), [code])
  const target = useTargetLine()

  function renderLine(index: number) {
    const number = index + 1
    const words = coloured?.[index]
    return (
      <span
        key={index}
        id={lineId(number)}
        className={classes.line}
        data-target={number === target || undefined}
        tabIndex={number === target ? -1 : undefined}
      >
        {words ? <ColouredLine words={words} /> : lines[index]}
      </span>
    )
  }

  return (
    <>
      <Group gap={6} mb={10}>
        <Title order={2} mr="auto">
          {t('submission.source')}
        </Title>
        <CopyButton text={code} label={t('submission.copySource')} />
        <ActionIcon
          aria-label={t('submission.downloadSource')}
          title={t('submission.downloadSource')}
          onClick={() => download(file, code, 'text/plain;charset=utf-8')}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Group>
      <div className={`app-card ${classes.codeBox}`}>
        <CodeQuestions
          submission={submission}
          lines={lines}
          shown={(target ?? 1) - 1}
          renderLine={renderLine}
        />
      </div>
    </>
  )
}
