// Where an event stands in the log's chain, and the call that wrote it. Folded, because few people need it.
import type { ReactNode } from "react";
import type { AuditEvent } from "#features/audit/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { TextButton } from "#web/ui/text-button.tsx";

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 font-mono text-12 break-all">{text}</span>
      <CopyButton text={text} label={label} />
    </span>
  );
}

type AuditProofProps = {
  readonly event: AuditEvent;
  readonly onOpen: (position: number) => void;
};

export function AuditProof({ event, onOpen }: AuditProofProps) {
  const { command, position } = event;
  const others = command?.positions.filter((other) => other !== position) ?? [];
  const facts: { readonly label: string; readonly value: ReactNode }[] = [
    { label: "Hash", value: <Code text={event.hash} label="Copy hash" /> },
    { label: "Link", value: <Code text={event.previousHash} label="Copy link" /> },
    { label: "Fields", value: <Code text={event.fieldHash} label="Copy hash of the fields" /> },
    { label: "Event ID", value: <Code text={event.id} label="Copy event ID" /> },
    { label: "Version", value: `${event.type}, version ${event.schemaVersion}` },
  ];
  if (command !== null) {
    facts.push(
      { label: "Key", value: <Code text={command.key} label="Copy key" /> },
      { label: "Key of", value: command.scope === "store" ? "Store" : command.scope },
    );
    if (command.requestHash !== null) {
      facts.push({
        label: "Request",
        value: <Code text={command.requestHash} label="Copy hash of the request" />,
      });
    }
  }
  if (others.length > 0) {
    facts.push({
      label: "Same call",
      value: (
        <span className="flex flex-wrap gap-x-3">
          {others.map((other) => (
            <TextButton key={other} onClick={() => onOpen(other)}>
              {`Event ${formatCount(other)}`}
            </TextButton>
          ))}
        </span>
      ),
    });
  }
  return (
    <details className="rounded-card border border-border">
      <summary className="flex min-h-11 cursor-pointer items-center px-3 font-medium">
        Proof and call
      </summary>
      <div className="flex flex-col gap-3 border-t border-border p-3">
        <p className="text-12 text-muted">
          The hash covers all fields of the event, its position, the time of recording and the link
          to the event before. A later change of any of them would show.
        </p>
        <FactList facts={facts} />
      </div>
    </details>
  );
}
