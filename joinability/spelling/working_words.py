"""Words of working life that the list of common words lacks: an invoice is not "in voice", nor a coupon "coup on".

The list was drawn from an encyclopedia (words.license); these are of trade, accounts, staff, health, law and software.
The last ones are names of systems, of which a lake holds copies (`joinability.spelling.known_systems`).
"""

from __future__ import annotations

WORKING_WORDS = tuple(
    """
    absenteeism accrual accruals acreage affidavit aliquot allergen ambulatory amortization amplicon appraisal
    appraiser arbitrator arraignment artefact assay backend backorder basemap beneficiary billable blockchain
    borehole bursary cadastral cardiology carton cashback centroid changelog chargeback chatbot clickstream
    clickthrough clinician coinsurance comorbidity concierge consignee consignment consignor copay copayment
    counterparty coupon crowdfunding custodian dataset datetime deductible delinquency delinquent deliverable
    depreciation dermatology dialer disbursement docket downtime downvote drawdown drivetrain dropship enqueue
    equities escrow failover formulary franchisee franchisor freelancer furlough garnishment geocode geofence
    geolocation gradebook grantee grantor haplotype hashtag headcount helpdesk hotfix idempotency inbound inbox
    incoterm inpatient instalment instalments invigilator invoice invoiced invoicing kanban layover leaderboard
    lessee lessor litigation livestream logon logout machining markdown matchmaking memos merchandiser metering
    metrics middleware mileage misdemeanor noncompliance nonconformance obstetrics offboarding onboarding outbox
    outpatient overdraft overstock pageview paralegal passcode paycheck payee payer paygrade payout payscale payslip
    paystub permalink picker pipette planogram policyholder postpaid preorder prepayment prescriber procurement
    provisioning putaway readmission realtor rebate rebooking receivable recruiter redelivery refinancing refund
    refunded rehire reimbursement remittance reorder repost requisition reseller respawn restock retainer retiree
    retry retweet rework rollout scheduler scorecard segmentation shapefile shipper signup stakeholder staking
    stipend stockout stocktake stopover storefront streamer subassembly subcontractor subledger sublet subnet
    subpoena superuser surcharge sysadmin takeaway takeout telehealth telematics timecard timesheet tooling triage
    triaged underwriter unfollow unsubscribe upsell uptime upvote validator voicemail voucher warehousing waybill
    waypoint webhook webinar whistleblower wholesaler wishlist workbook workflow worklist worksheet workspace
    workstream writeoff
    activecampaign adwords adyen aircall ariba asana bamboohr bigcommerce bitbucket braze chargebee clickup concur
    coupa easypost expensify freshdesk github gitlab gocardless googleads gorgias gusto helpscout hibob hubspot
    intacct intercom iterable klaviyo magento mailchimp mailgun marketo matomo mixpanel mollie netsuite pardot
    personio pipedrive posthog postmark prestashop qualtrics quickbooks recurly ringcentral salesforce sendgrid
    shipstation shopify snowplow surveymonkey trello twilio typeform woocommerce workday zendesk zuora
""".split()
)
