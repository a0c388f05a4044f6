/**
 * The look, in one place: warm paper and ink, one petrol accent, brass for emphasis.
 * Every pair of text and background here has a contrast of at least 4.5.
 */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const petrol: MantineColorsTuple = [
  '#eaf5f6',
  '#d6e9eb',
  '#aed4d8',
  '#82bec5',
  '#5cabb4',
  '#3f98a3',
  '#27808b',
  '#1b6f7a',
  '#17606b',
  '#0f4c55',
]

/** Warm greys for the light scheme. */
const gray: MantineColorsTuple = [
  '#faf9f6',
  '#f4f2ed',
  '#eae7e0',
  '#dcd8cf',
  '#c8c3b8',
  '#a8a297',
  '#7d776d',
  '#5f5a52',
  '#45413b',
  '#2a2824',
]

/** Cool, slightly green ink for the dark scheme. */
const dark: MantineColorsTuple = [
  '#dfe5e6',
  '#bcc6c8',
  '#98a5a8',
  '#6f7d81',
  '#3d494d',
  '#2e393c',
  '#222b2e',
  '#192123',
  '#131a1c',
  '#0c1112',
]

// Both fonts are part of the app; Chinese, and signs that they lack, come from the system's fonts.
const sans =
  "'Figtree Variable', system-ui, -apple-system, 'Noto Sans TC', 'PingFang TC', 'Microsoft JhengHei', sans-serif"
const mono = "'Source Code Pro Variable', ui-monospace, monospace"

/** Keeps a dialog's header from being announced as the page's banner. */
const OWN_HEADER = { header: { role: 'presentation' } }

/**
 * A field's list itself scrolls, because the keyboard reaches the list through the field. A scrolling box inside the
 * list would have to take the focus.
 */
const OWN_SCROLLING = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const

/** Mantine's theme. */
export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 8, dark: 7 },
  colors: { petrol, gray, dark },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.1875rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  focusRing: 'auto',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Alert: { defaultProps: { variant: 'outline' } },
    Paper: { defaultProps: { withBorder: true, radius: 'lg' } },
    Card: { defaultProps: { withBorder: true, radius: 'lg', padding: 'lg' } },
    Modal: { defaultProps: { centered: true, attributes: OWN_HEADER } },
    Drawer: { defaultProps: { attributes: OWN_HEADER } },
    // Menus and lists of fields are rendered inside their landmark or dialog.
    Popover: { defaultProps: { withinPortal: false } },
    Combobox: { defaultProps: { withinPortal: false } },
    Autocomplete: OWN_SCROLLING,
    MultiSelect: OWN_SCROLLING,
    Select: OWN_SCROLLING,
    Anchor: { defaultProps: { inherit: true } },
  },
})

/** Variables that depend on the scheme: the app's, and those of Mantine whose defaults are too faint. */
const SCHEME_VARIABLES: ReturnType<CSSVariablesResolver> = {
  variables: {},
  light: {
    '--mantine-color-body': '#fcfbf9',
    '--mantine-color-text': '#23211d',
    '--mantine-color-dimmed': '#635e55',
    '--mantine-color-placeholder': '#6f6a60',
    '--mantine-color-anchor': '#14616c',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d8d3c9',
    '--app-surface': '#ffffff',
    '--app-side': '#f3f1eb',
    '--app-line': '#e3dfd6',
    '--app-hover': '#ebe8e0',
    '--app-active': '#dcebec',
    '--app-active-text': '#0f4c55',
    '--app-code': '#f4f2ed',
    '--app-brass': '#8a5a00',
    '--app-plot': '#1b6f7a',
    '--app-mark-add': '#d8efdc',
    '--app-mark-del': '#fadcd7',
    '--app-differs-own': '#c2452f',
    '--app-differs-expected': '#2c7a45',
  },
  dark: {
    '--mantine-color-body': '#141b1d',
    '--mantine-color-text': '#dfe5e6',
    '--mantine-color-dimmed': '#9fadb0',
    '--mantine-color-placeholder': '#8b999c',
    '--mantine-color-anchor': '#7cc7d0',
    '--mantine-color-error': '#ff9d92',
    '--mantine-color-default-border': '#3a4649',
    '--app-surface': '#1a2325',
    '--app-side': '#101718',
    '--app-line': '#2b3639',
    '--app-hover': '#202a2d',
    '--app-active': '#173a40',
    '--app-active-text': '#b9e2e7',
    '--app-code': '#10171a',
    '--app-brass': '#e5b75b',
    '--app-plot': '#5cabb4',
    '--app-mark-add': '#1c3d28',
    '--app-mark-del': '#4a2320',
    '--app-differs-own': '#e0786a',
    '--app-differs-expected': '#5fb37b',
  },
}

export function cssVariablesResolver(): ReturnType<CSSVariablesResolver> {
  return SCHEME_VARIABLES
}
