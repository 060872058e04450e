// What tells one chosen file from another where an action compares its input, to repeat the same call with the same key: a
// file has no fields that JSON would include.

export function fileKeyOf({ name, size, lastModified }: File): string {
  return `${name}:${size}:${lastModified}`;
}
