/** How much room the rows of lists take; chosen on the settings page, kept in this browser. */
import { readStored, STORAGE_KEYS, writeStored } from './storage.ts'
import { createStore } from './store.ts'

export const LIST_DENSITIES = ['comfortable', 'compact'] as const
type ListDensity = (typeof LIST_DENSITIES)[number]

function stored(): ListDensity {
  const value = readStored(STORAGE_KEYS.listDensity)
  return LIST_DENSITIES.find((name) => name === value) ?? 'comfortable'
}

const density = createStore(stored())

/** Marks the page's root, which the styles of lists depend on. */
function show(): void {
  document.documentElement.dataset['density'] = density.get()
}

/** Shows lists as chosen, also after a change in another tab. */
export function startListDensity(): void {
  show()
  globalThis.addEventListener('storage', ({ key }) => {
    if (key !== STORAGE_KEYS.listDensity && key !== null) return
    density.set(stored())
    show()
  })
}

export const useListDensity = density.use

/** Changes the density; without storage only for this visit. */
export function chooseListDensity(name: ListDensity): void {
  writeStored(STORAGE_KEYS.listDensity, name)
  density.set(name)
  show()
}
