import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './submit-page.module.css'
import type { Program } from './use-program.ts'

/** Says that the draft is back, and that other versions of it are kept, with a way to open or drop them. */
export function DraftNotice({ program }: { program: Program }) {
  const { t } = useTranslation()
  const { isRestored, versions, replace, dropVersions } = program
  const count = versions.length
  return (
    <>
      {isRestored ? (
        <output className={classes.notice}>
          {t('submit.restored')}
          <Button size="compact-xs" variant="default" onClick={() => replace('')}>
            {t('submit.discard')}
          </Button>
        </output>
      ) : null}
      {count > 0 ? (
        <output className={classes.notice}>
          <span>{t('submit.versionsKept', { count })}</span>
          <span className={classes.noticeButtons}>
            <Button size="compact-xs" variant="default" onClick={() => replace(versions[0] ?? '')}>
              {t('submit.switchVersion')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={dropVersions}>
              {t('submit.dropVersions')}
            </Button>
          </span>
        </output>
      ) : null}
    </>
  )
}
