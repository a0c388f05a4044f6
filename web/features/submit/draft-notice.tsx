import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './submit-page.module.css'
import type { Program } from './use-program.ts'

/** Focuses the code, because the pressed button disappears with its notice. */
function focusCode(): void {
  document.querySelector<HTMLElement>('#code textarea, #code [role="textbox"]')?.focus()
}

/** Says that another tab has another version, which this tab may take over. */
function OtherTab({ program: { isOther, settle } }: { program: Program }) {
  const { t } = useTranslation()

  function goOnWith(chosen: 'mine' | 'other') {
    settle(chosen)
    focusCode()
  }

  return (
    // Rendered before its text arrives, else screen readers miss it.
    <output className={isOther ? classes.notice : classes.unsaid}>
      {isOther ? (
        <>
          <span>{t('submit.otherTab')}</span>
          <Group component="span" gap={6}>
            <Button size="compact-xs" variant="default" onClick={() => goOnWith('other')}>
              {t('submit.takeOther')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => goOnWith('mine')}>
              {t('submit.keepMine')}
            </Button>
          </Group>
        </>
      ) : null}
    </output>
  )
}

/** Says that the draft is restored, and that other versions of it are kept, with buttons to open or drop them. */
function Versions({ program }: { program: Program }) {
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
          <Group component="span" gap={6}>
            <Button size="compact-xs" variant="default" onClick={() => replace(versions[0] ?? '')}>
              {t('submit.switchVersion')}
            </Button>
            <Button size="compact-xs" variant="default" onClick={dropVersions}>
              {t('submit.dropVersions')}
            </Button>
          </Group>
        </output>
      ) : null}
    </>
  )
}

/**
 * The notices about the draft. A notice about another tab hides the notice about versions, because the versions include
 * that tab's text, too.
 */
export function DraftNotice({ program }: { program: Program }) {
  return (
    <>
      <OtherTab program={program} />
      {program.isOther ? null : <Versions program={program} />}
    </>
  )
}
