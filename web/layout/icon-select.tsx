import type { Icon } from '@tabler/icons-react'
import classes from './icon-select.module.css'

interface IconSelectProps<Value extends string> {
  Icon: Icon
  label: string
  value: Value
  options: readonly { value: Value; label: string; lang?: string }[]
  onChange: (value: Value) => void
}

/** An icon over the browser's own select: works everywhere without a library. */
export function IconSelect<Value extends string>(props: IconSelectProps<Value>) {
  const { Icon, label, value, options, onChange } = props
  return (
    <span className={classes.box} title={label}>
      <Icon size={19} stroke={1.7} aria-hidden="true" />
      <select
        className={classes.select}
        aria-label={label}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  )
}
