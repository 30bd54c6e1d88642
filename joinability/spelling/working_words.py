"""Words of working life that the list of common words lacks: an invoice is not "in voice", nor a coupon "coup on".

The list was drawn from an encyclopedia (words.license); these are of trade, accounts, staff, health, law and software.
So are the names of systems of which a lake holds copies (`joinability.spelling.known_systems`).
"""

from __future__ import annotations

WORKING_WORDS = tuple(
    """
    absenteeism accrual accruals acreage activecampaign adwords adyen affidavit aircall aliquot allergen ambulatory
    amortization amplicon appraisal appraiser arbitrator ariba arraignment artefact asana assay backend backorder
    bamboohr basemap beneficiary bigcommerce billable bitbucket blockchain borehole braze bursary cadastral
    cardiology carton cashback centroid changelog chargeback chargebee chatbot clickstream clickthrough clickup
    clinician coinsurance comorbidity concierge concur consignee consignment consignor copay copayment counterparty
    coupa coupon crowdfunding custodian dataset datetime deductible delinquency delinquent deliverable depreciation
    dermatology dialer disbursement docket downtime downvote drawdown drivetrain dropship easypost enqueue equities
    escrow expensify failover formulary franchisee franchisor freelancer freshdesk furlough garnishment geocode
    geofence geolocation github gitlab gocardless googleads gorgias gradebook grantee grantor gusto haplotype
    hashtag headcount helpdesk helpscout hibob hotfix hubspot idempotency inbound inbox incoterm inpatient
    instalment instalments intacct intercom invigilator invoice invoiced invoicing iterable kanban klaviyo layover
    leaderboard lessee lessor litigation livestream logon logout machining magento mailchimp mailgun markdown
    marketo matchmaking matomo memos merchandiser metering metrics middleware mileage misdemeanor mixpanel mollie
    netsuite noncompliance nonconformance obstetrics offboarding onboarding outbox outpatient overdraft overstock
    pageview paralegal pardot passcode paycheck payee payer paygrade payout payscale payslip paystub permalink
    personio picker pipedrive pipette planogram policyholder posthog postmark postpaid preorder prepayment
    prescriber prestashop procurement provisioning putaway qualtrics quickbooks readmission realtor rebate rebooking
    receivable recruiter recurly redelivery refinancing refund refunded rehire reimbursement remittance reorder
    repost requisition reseller respawn restock retainer retiree retry retweet rework ringcentral rollout salesforce
    scheduler scorecard segmentation sendgrid shapefile shipper shipstation shopify signup snowplow stakeholder
    staking stipend stockout stocktake stopover storefront streamer subassembly subcontractor subledger sublet
    subnet subpoena superuser surcharge surveymonkey sysadmin takeaway takeout telehealth telematics timecard
    timesheet tooling trello triage triaged twilio typeform underwriter unfollow unsubscribe upsell uptime upvote
    validator voicemail voucher warehousing waybill waypoint webhook webinar whistleblower wholesaler wishlist
    woocommerce workbook workday workflow worklist worksheet workspace workstream writeoff zendesk zuora
""".split()
)
