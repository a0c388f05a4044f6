import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { compileText, runText, type Language } from '#contract/languages'
import { languagesQuery } from './api.ts'
import classes from './submit-page.module.css'

/** The commands and compiler versions of a language, folded up. */
export function HowCompiled({ language }: { language: Language }) {
  const { t } = useTranslation()
  const languages = useQuery(languagesQuery)
  const found = languages.data?.find(({ id }) => id === language.id)
  const versions = languages.isError ? t('submit.versionsFailed') : found?.versions.join('\n')
  return (
    <details className={classes.how}>
      <summary>{t('submit.howCompiled', { language: language.label })}</summary>
      <dl>
        <dt>{t('submit.compileCommand')}</dt>
        <dd className={classes.command}>{compileText(language)}</dd>
        <dt>{t('submit.runCommand')}</dt>
        <dd className={classes.command}>{runText(language)}</dd>
        <dt>{t('submit.versions')}</dt>
        <dd className={classes.command}>
          {versions === '' ? t('submit.noVersions') : (versions ?? '…')}
        </dd>
      </dl>
    </details>
  )
}
