/**
 * What `&copy;` and the like mean: micromark asks here instead of `decode-named-character-reference`. The table is a
 * third of the Markdown parser's size, so only texts that may hold such names load it.
 */
let characters: Readonly<Record<string, string>> = {}

export async function loadNamedCharacters(): Promise<void> {
  ;({ characterEntities: characters } = await import('character-entities'))
}

/** @param name e.g. `copy` @returns the character; false: there is no such name */
export function decodeNamedCharacterReference(name: string): string | false {
  return Object.hasOwn(characters, name) && (characters[name] ?? false)
}
