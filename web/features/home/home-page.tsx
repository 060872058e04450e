// The home page as it is drawn: on the server without a person, and in the browser the same, so that React can take over.
import { Fragment } from "react";
import { Link } from "react-router-dom";
import type { PublicSettingsResponse } from "#features/settings/contract.ts";
import { paths } from "#web/paths.ts";
import { BrandOf } from "#web/ui/brand.tsx";
import { ButtonLink } from "#web/ui/button-link.tsx";
import { unnamedStore } from "#web/ui/store-name.ts";
import { ThemeSwitch } from "#web/ui/theme-switch.tsx";
import { ChatLink, GetStarted } from "./entrances.tsx";
import { Estimator } from "./estimator.tsx";
import { HomeSections, sections } from "./home-sections.tsx";
import { SectionNav } from "./section-nav.tsx";

const page = "mx-auto w-full max-w-[calc(1120px+3rem)] px-6 max-sm:px-4";

export function HomePage({ texts }: { readonly texts: PublicSettingsResponse }) {
  const storeName = texts.storeName ?? unnamedStore;
  return (
    <>
      <header className="sticky top-0 z-20 border-b border-border bg-bg">
        <div className={`flex h-(--top-bar) items-center gap-4 ${page}`}>
          <a href="#top" aria-label={`${storeName}, top of the page`} className="min-w-0">
            <BrandOf storeName={texts.storeName} logo={texts.logo} hasFixedRoom />
          </a>
          {/* On a slow line the button comes before the links, which would push it aside. */}
          <div className="ms-auto flex shrink-0 items-center gap-2 not-has-[a+a]:invisible">
            <ThemeSwitch />
            <ButtonLink to={paths.dashboard} className="signed-out:hidden">
              Dashboard
            </ButtonLink>
            <ButtonLink to={paths.login} className="signed-in:hidden">
              Login
            </ButtonLink>
          </div>
        </div>
        <SectionNav sections={sections} className={page} />
      </header>
      <main id="top">
        <Hero texts={texts} storeName={storeName} />
        <HomeSections texts={texts} storeName={storeName} className={page} />
      </main>
      <footer className="border-t border-border">
        <div
          className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-8 text-muted ${page}`}
        >
          <p>{`© 2024 ${storeName}`}</p>
          <nav aria-label="More" className="flex flex-wrap gap-x-6">
            <FooterLink to={paths.login}>Sign in</FooterLink>
            <FooterLink to={paths.verifyStatement}>Check a statement</FooterLink>
          </nav>
        </div>
      </footer>
    </>
  );
}

function FooterLink({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <Link to={to} className="inline-flex min-h-11 items-center hover:text-text hover:underline">
      {children}
    </Link>
  );
}

function Hero({
  texts,
  storeName,
}: {
  readonly texts: PublicSettingsResponse;
  readonly storeName: string;
}) {
  return (
    <div
      className={`grid items-center gap-x-16 gap-y-8 py-16 max-lg:py-10 lg:grid-cols-[1fr_26rem] ${page}`}
    >
      <div className="flex flex-col items-start gap-6 max-sm:gap-4">
        <h1 className="text-40 font-semibold max-sm:text-32">
          {/* Lines break between the sentences. */}
          {["You send it.", "We sell it.", "You get paid."].map((sentence) => (
            <Fragment key={sentence}>
              <span className="inline-block">{sentence}</span>{" "}
            </Fragment>
          ))}
        </h1>
        <p className="max-w-140 text-16 text-muted">
          {`${storeName} sells your items on consignment: we list them, sell them and ship them. You get ${texts.defaultConsignorPercentage}% of the price after shipping, and you see every cent of it in your dashboard.`}
        </p>
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:flex-col">
          <GetStarted />
          <ChatLink href={texts.chatLink} />
        </div>
      </div>
      <Estimator usualShare={texts.defaultConsignorPercentage} />
    </div>
  );
}
