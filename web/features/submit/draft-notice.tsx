import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './submit-page.module.css'
import type { Program } from './use-program.ts'

/** Says that the draft is back, that other versions of it are kept, or that another tab has another one, with ways to choose. */
export function DraftNotice({ program }: { program: Program }) {
  const { t } = useTranslation()
  const { isRestored, isOther, versions, replace, settle, dropVersions } = program
  const count = versions.length
  if (isOther)
    return (
      <output className={classes.notice}>
        <span>{t('submit.otherTab')}</span>
        <span className={classes.noticeButtons}>
          <Button size="compact-xs" variant="default" onClick={() => settle('other')}>
            {t('submit.takeOther')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => settle('mine')}>
            {t('submit.keepMine')}
          </Button>
        </span>
      </output>
    )
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
