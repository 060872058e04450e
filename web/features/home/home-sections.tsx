// The sections of the home page, in the order of its navigation.
import { Check, MapPin, PackageOpen, Printer, Smartphone, UserPlus, X } from "lucide-react";
import type { PublicSettingsResponse } from "#features/settings/contract.ts";
import { PayoutIcon, ShipmentIcon } from "#web/ui/thing-icons.ts";
import { ChatLink, GetStarted } from "./entrances.tsx";
import { Card, Point, Section, Step, Terms } from "./section.tsx";

/** The most that a box may weigh, in pounds. */
const MAX_POUNDS = 70;

type SectionTexts = {
  readonly texts: PublicSettingsResponse;
  readonly storeName: string;
};

function HowToStart() {
  return (
    <>
      <div className="grid gap-4 md:grid-cols-3">
        <Card icon={UserPlus} title="1. Create your account">
          Sign in with Discord, Google or your email. It is free, and there is no contract.
        </Card>
        <Card icon={PackageOpen} title="2. Pack your items">
          {`Pack your items in as few boxes as possible, up to ${MAX_POUNDS} pounds each.`}
        </Card>
        <Card icon={ShipmentIcon} title="3. Get them to us">
          Ship them, or bring them by. Enter each box under Submit Shipment, so that we know it is
          yours.
        </Card>
      </div>
      <div className="grid gap-x-8 gap-y-3 md:grid-cols-3">
        <Point icon={ShipmentIcon}>Use your own shipper: USPS, UPS, FedEx or any other.</Point>
        <Point icon={Printer}>
          Or request a prepaid postal label through the dashboard, and print it.
        </Point>
        <Point icon={MapPin}>Local drop-off is welcome. The dashboard has our address.</Point>
      </div>
    </>
  );
}

function HowItWorks({ texts }: SectionTexts) {
  return (
    <ol className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
      <Step number={1} title="We count">
        We open your box, check and count every item, and put it into your inventory.
      </Step>
      <Step number={2} title="We list">
        Each item is listed where it sells best, with its own page in our records.
      </Step>
      <Step number={3} title="It sells">
        We ship it to the buyer. The sale is on your dashboard the moment we record it.
      </Step>
      <Step number={4} title="You get your share">
        {`${texts.defaultConsignorPercentage}% of the price after shipping is added to your balance.`}
      </Step>
    </ol>
  );
}

function Tracking() {
  return (
    <div className="grid gap-x-8 gap-y-3 md:grid-cols-3">
      <Point icon={Check}>
        Enter the carrier and tracking number of your box, and follow it from pending to processed
        and delivered.
      </Point>
      <Point icon={Check}>
        See each item that you sent: where it is, how many are left, and what happened to it.
      </Point>
      <Point icon={Check}>
        Open any amount and see the sales, payouts and corrections that it is made of.
      </Point>
    </div>
  );
}

function GettingPaid() {
  return (
    <>
      <p className="max-w-160 text-16 text-muted">
        Request a payout from your dashboard whenever your balance is above $0.00. We send it
        through one of two apps:
      </p>
      <div className="grid gap-4 md:grid-cols-2">
        <Card icon={Smartphone} title="CashApp">
          Enter your $cashtag once. We remember it for the next payout.
        </Card>
        <Card icon={PayoutIcon} title="Venmo">
          Enter your @username once. We remember it for the next payout.
        </Card>
      </div>
    </>
  );
}

function WhatWeDo({ storeName }: SectionTexts) {
  return (
    <>
      <p className="max-w-160 text-16 text-muted">
        {`${storeName} resells goods on several marketplaces. Sending one item to each buyer, answering questions and taking returns is our work, so that you only have to fill boxes.`}
      </p>
      <div className="grid gap-x-8 gap-y-3 md:grid-cols-3">
        <Point icon={Check}>Listing, selling and shipping of everything you send.</Point>
        <Point icon={Check}>
          A record of every sale and payout that nobody can change afterwards, and that you can
          check.
        </Point>
        <Point icon={Check}>
          A marketplace where consignors trade their items with each other.
        </Point>
      </div>
    </>
  );
}

function WhatsAccepted() {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Terms
        title="Accepted"
        icon={Check}
        color="text-credit"
        terms={[
          "Brand new or like new items that are authentic",
          "Food within its expiry date",
          "Name-brand or generic items",
          "Electronics and accessories",
          "Limited-edition items",
        ]}
      />
      <Terms
        title="Not accepted"
        icon={X}
        color="text-danger"
        terms={[
          "Used, worn or damaged items",
          "Counterfeits and replicas",
          "Food past its expiry date",
          "Electronics that do not work",
          `Boxes over ${MAX_POUNDS} pounds`,
        ]}
      />
    </div>
  );
}

function StartToday({ texts }: SectionTexts) {
  return (
    <>
      <p className="max-w-160 text-16 text-muted">
        Create your account, fill a box and tell us that it is on its way.
        {texts.chatLink === null ? "" : " Questions? Ask us and other consignors in the chat."}
      </p>
      <div className="flex flex-wrap gap-3 max-sm:flex-col">
        <GetStarted />
        <ChatLink href={texts.chatLink} />
      </div>
    </>
  );
}

export const sections = [
  { id: "how-to-start", title: "How to start", Content: HowToStart },
  { id: "how-it-works", title: "How it works", Content: HowItWorks },
  { id: "tracking", title: "Tracking", Content: Tracking },
  { id: "getting-paid", title: "Getting paid", Content: GettingPaid },
  { id: "what-we-do", title: "What we do", Content: WhatWeDo },
  { id: "whats-accepted", title: "What's accepted", Content: WhatsAccepted },
  { id: "start-today", title: "Start today", Content: StartToday },
] as const;

type HomeSectionsProps = SectionTexts & { readonly className: string };

export function HomeSections({ className, ...texts }: HomeSectionsProps) {
  return sections.map(({ id, title, Content }, index) => (
    <Section key={id} id={id} title={title} className={className} isTinted={index % 2 === 1}>
      <Content {...texts} />
    </Section>
  ));
}
