// A search field whose text is stored in the address: a moment after the last key, or at once on Enter.
import { Search, X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useParams } from "#web/lib/search-param.ts";
import { IconButton } from "./icon-button.tsx";
import { TextInput } from "./text-input.tsx";

/** No list can be searched for more; some could. What contains a longer text contains its beginning too. */
const longest = 100;

type SearchParamInputProps = {
  readonly param: string;
  readonly label: string;
  readonly placeholder: string;
  readonly delayMs?: number;
  readonly className?: string;
};

export function SearchParamInput({
  param,
  label,
  placeholder,
  delayMs = 300,
  className = "",
}: SearchParamInputProps) {
  const [params, setParams] = useParams();
  const held = params.get(param) ?? "";
  const [typed, setTyped] = useState(held);
  const [seen, setSeen] = useState(held);
  // The address was changed from outside: by going back, or "Clear".
  if (seen !== held) {
    setSeen(held);
    if (held !== typed.trim()) {
      setTyped(held);
    }
  }

  const hold = useEffectEvent((text: string) => {
    if (text.trim() !== held) {
      setParams({ [param]: text.trim() });
    }
  });
  useEffect(() => {
    const timer = setTimeout(() => hold(typed), delayMs);
    return () => clearTimeout(timer);
  }, [typed, delayMs]);

  return (
    <search className={`relative flex items-center ${className}`}>
      <TextInput
        type="search"
        icon={Search}
        aria-label={label}
        placeholder={placeholder}
        maxLength={longest}
        value={typed}
        onValue={setTyped}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            setParams({ [param]: typed.trim() });
          }
        }}
        className="pe-10"
      />
      {typed === "" ? null : (
        <IconButton
          icon={X}
          label="Clear search"
          onClick={() => {
            setTyped("");
            setParams({ [param]: undefined });
          }}
          className="absolute end-0"
        />
      )}
    </search>
  );
}
