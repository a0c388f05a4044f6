import type { KeyboardEvent } from 'react'
import classes from './submit-page.module.css'

interface PhoneTabsProps<Tab extends string> {
  /** Each tab's label, and the id of the panel that it shows. */
  tabs: Record<Tab, { label: string; panel: string }>
  chosen: Tab
  onChoose: (tab: Tab) => void
}

/** Tabs on narrow screens only; on wide ones everything is in sight. Arrow keys change the tab. */
export function PhoneTabs<Tab extends string>({ tabs, chosen, onChoose }: PhoneTabsProps<Tab>) {
  const names = Object.keys(tabs) as Tab[]

  function change(event: KeyboardEvent) {
    const other = names.find((name) => name !== chosen)
    if (other === undefined || !/^Arrow(Left|Right)$/.test(event.key)) return
    event.preventDefault()
    onChoose(other)
    document.getElementById(`tab-${other}`)?.focus()
  }

  return (
    <div role="tablist" className={classes.tabs}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === chosen}
          aria-controls={tabs[name].panel}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
          onKeyDown={change}
        >
          {tabs[name].label}
        </button>
      ))}
    </div>
  )
}
