import { UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FallbackBoundary } from '../components/feedback/fallback-boundary.tsx'
import { loadPageTexts } from '../lib/format/i18n.ts'
import classes from './side-bar.module.css'

const CommandPalette = lazy(async () => {
  const [{ CommandPalette: Loaded }] = await Promise.all([
    import('./command-palette.tsx'),
    loadPageTexts(),
  ])
  return { default: Loaded }
})

const KEYS = /Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'

/** Opens the command palette by a button and by Ctrl+K (⌘K); it is loaded when first opened. */
export function PaletteOpener({ mini }: { mini: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const [isUsed, setIsUsed] = useState(false)

  function open() {
    setIsUsed(true)
    setIsOpen(true)
  }

  // The keys also work in text fields and in the editor.
  useHotkeys([['mod+K', open]], [], true)
  const label = t('nav.search')
  return (
    <>
      <UnstyledButton
        className={classes.search}
        data-mini={mini || undefined}
        onClick={open}
        aria-haspopup="dialog"
        aria-label={mini ? label : undefined}
        aria-keyshortcuts="Control+K Meta+K"
        title={mini ? label : undefined}
      >
        <IconSearch size={18} stroke={1.7} aria-hidden="true" />
        {mini ? null : (
          <>
            <span>{label}</span>
            <kbd className={classes.key} aria-hidden="true">
              {KEYS}
            </kbd>
          </>
        )}
      </UnstyledButton>
      {isUsed ? (
        <FallbackBoundary fallback={null}>
          <CommandPalette opened={isOpen} onClose={() => setIsOpen(false)} />
        </FallbackBoundary>
      ) : null}
    </>
  )
}
