import { Modal, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { TEXT_LIMITS } from '#contract/limits'
import { isInputMethodKey } from '../lib/text/input-method.ts'
import classes from './command-palette.module.css'
import { usePaletteSearch, type PaletteEntry } from './palette-entries.ts'

interface PaletteOptionsProps {
  id: string
  entries: readonly PaletteEntry[]
  /** Position of the entry that Enter opens. */
  chosen: number
  onChosen: () => void
}

/** The list; the first entry of each group carries the group's heading. */
function PaletteOptions({ id, entries, chosen, onChosen }: PaletteOptionsProps) {
  const { t } = useTranslation()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot be filtered by typing
    <div id={id} role="listbox" aria-label={t('palette.label')} className={classes.options}>
      {entries.map(({ group, label, detail, course, to }, index) => (
        <Link
          key={`${group} ${label} ${to}`}
          to={to}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option cannot be a link
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={classes.option}
          data-group={group === entries[index - 1]?.group ? undefined : t(`palette.${group}`)}
          onClick={onChosen}
        >
          <span>{label}</span>
          {detail === undefined && course === undefined ? null : (
            <span className={classes.detail}>
              {[detail, course].filter((part) => part !== undefined).join(' · ')}
            </span>
          )}
        </Link>
      ))}
    </div>
  )
}

/** The field and what it finds: a combobox whose list is always open (ARIA Authoring Practices, Combobox Pattern). */
function Search({ onChosen }: { onChosen: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { entries, isSearching, hasFailed } = usePaletteSearch(text)
  const none = t(isSearching ? 'common.loading' : hasFailed ? 'palette.failed' : 'palette.none')
  const input = useRef<HTMLInputElement>(null)

  // Focuses at once: Mantine's focus trap does so a moment later, and keys in between would be lost.
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])

  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen])

  function onKeyDown(event: KeyboardEvent) {
    if (isInputMethodKey(event.nativeEvent)) return
    const entry = entries[chosen]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step !== undefined) setChosen((chosen + step + entries.length) % (entries.length || 1))
    else if (entry) {
      onChosen()
      void navigate(entry.to)
    }
  }

  return (
    <>
      <TextInput
        ref={input}
        data-autofocus
        variant="unstyled"
        size="lg"
        className={classes.input}
        leftSection={<IconSearch size={20} aria-hidden="true" />}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input alone does not lead a list
        role="combobox"
        aria-label={t('palette.label')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        placeholder={t('palette.placeholder')}
        maxLength={TEXT_LIMITS.search}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setChosen(0)
        }}
      />
      <PaletteOptions id={id} entries={entries} chosen={chosen} onChosen={onChosen} />
      <output className={classes.none}>{entries.length === 0 ? none : null}</output>
    </>
  )
}

interface CommandPaletteProps {
  opened: boolean
  onClose: () => void
}

/** Goes to any page, course, problem, homework or person by typing a part of its name. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      size="lg"
      padding={0}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('palette.label') } }}
    >
      <Search onChosen={onClose} />
    </Modal>
  )
}
